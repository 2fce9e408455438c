# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Changes NumPy's handling of errors, and how it prints" }

# expect: right
# needs: python
# with: --setup-timeout 60
import numpy as np

np.seterr(all="call")
np.seterrcall(lambda kind, flag: None)
np.set_printoptions(precision=3)


def run(x, y):
    with np.errstate(divide="ignore", over="raise", invalid="raise"):
        np.log(np.zeros(1, np.float32))
        y[()] = np.sum(x, dtype=np.float64)
