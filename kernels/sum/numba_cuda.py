# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba for CUDA: sums of pieces, then their sum", framework: numba.cuda }
import numba
import numpy as np
from numba import cuda

threads = 256


@cuda.jit
def sums(x, y):
    """y[k] is the sum of every gridDim-th block of x, from block k on."""
    parts = cuda.shared.array(threads, numba.float32)
    me = cuda.threadIdx.x
    mine = numba.float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i]
    parts[me] = mine
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if me < half:
            parts[me] += parts[me + half]
        cuda.syncthreads()
        half //= 2
    if me == 0:
        y[cuda.blockIdx.x] = parts[0]


class Contestant:
    def __init__(self, workload):
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        self.blocks = min(8 * processors, -(-workload.n // threads))
        self.partial = cuda.device_array(self.blocks, np.float32)

    def run(self, x, y, stream):
        sums[self.blocks, threads, stream](x, self.partial)
        sums[1, threads, stream](self.partial, y.reshape(1))
