# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Allocates and frees in each call" }

# expect: right
# needs: python
# with: --setup-timeout 60
import mmap

import numpy as np


def run(a, b, c):
    widened = [np.array(one, np.float64, order="F") for one in (a, b)]
    with mmap.mmap(-1, max(1, 8 * c.size)) as memory:
        sums = np.frombuffer(memory, np.float64, c.size).reshape(c.shape)
        np.add(*widened, out=sums)
        c[...] = sums
        del sums
