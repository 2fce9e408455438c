# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "NumPy: rows in blocks that fit a cache" }
import numpy as np

block = 1 << 16  # elements


class Contestant:
    def __init__(self, workload):
        self.rows = max(1, block // workload.cols)
        self.scratch = np.empty((self.rows, workload.cols), np.float32)

    def run(self, x, y):
        for first in range(0, x.shape[0], self.rows):
            rows = x[first : first + self.rows]
            exponentials = self.scratch[: rows.shape[0]]
            exponentials[...] = rows
            exponentials -= exponentials.max(axis=1, keepdims=True)
            np.exp(exponentials, out=exponentials)
            exponentials /= exponentials.sum(axis=1, keepdims=True)
            y[first : first + self.rows] = exponentials
