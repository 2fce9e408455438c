# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A pool of threads, each with its rows" }

# expect: right
# needs: python
# with: --setup-timeout 60
from concurrent.futures import ThreadPoolExecutor

import numpy as np

workers = 2


class Contestant:
    def __init__(self):
        self.pool = ThreadPoolExecutor(workers)

    def run(self, a, b, c, n):
        def rows(k):
            part = slice(n * k // workers, n * (k + 1) // workers)
            np.add(a[part], b[part], out=c[part])

        list(self.pool.map(rows, range(workers)))
