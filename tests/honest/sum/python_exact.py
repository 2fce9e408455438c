# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Exact partial sums, whose order a generator chooses" }

# expect: right
# needs: python
# with: --setup-timeout 60
import math

import numpy as np


def pieces(x, size):
    """Sums of pieces, the last one first."""
    for first in reversed(range(0, x.size, size)):
        yield float(np.sum(x[first : first + size], dtype=np.float64))


def run(x, y):
    y[...] = math.fsum(pieces(memoryview(x).obj, 1 << 15))
