# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba: blocks on all processors", framework: numba }
import numba
import numpy as np

block = 1 << 14


@numba.njit(["f4(f4[::1])"], fastmath=True)
def sum_of(x):
    total = np.float32(0)
    for i in range(x.shape[0]):
        total += x[i]
    return total


@numba.njit(["void(f4[::1], f4[::1])"], parallel=True)
def sums_of_blocks(x, sums):
    for k in numba.prange(sums.shape[0]):
        sums[k] = sum_of(x[k * block : (k + 1) * block])


class Contestant:
    def __init__(self, workload):
        self.sums = np.empty(-(-workload.n // block), np.float32)

    def run(self, x, y):
        sums_of_blocks(x, self.sums)
        y[()] = sum_of(self.sums)
