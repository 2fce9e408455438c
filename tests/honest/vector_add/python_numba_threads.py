# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Chooses Numba's threads, and their chunks", framework: numba, types: { real: [f32] } }

# expect: right
# needs: python
# with: --setup-timeout 60
import os

import numba
import numpy as np

numba.config.THREADING_LAYER = "workqueue"


@numba.njit(parallel=True)
def add(a, b, c):
    for i in numba.prange(a.size):
        c[i] = a[i] + b[i]


class Contestant:
    def __init__(self):
        numba.set_num_threads(min(2, numba.get_num_threads(), os.cpu_count()))
        self.chunk = 4096
        add(*np.zeros((3, 0), np.float32))  # compiles

    def run(self, a, b, c):
        with numba.parallel_chunksize(self.chunk):
            add(a.ravel(), b.ravel(), c.ravel())
