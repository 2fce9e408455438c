# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba for CUDA: one block a row, three passes", framework: numba.cuda, types: { real: [f32] } }
import math

import numba
from numba import cuda

threads = 256


@cuda.jit
def softmax(x, y):
    parts = cuda.shared.array(threads, numba.float32)
    me, i, cols = cuda.threadIdx.x, cuda.blockIdx.x, x.shape[1]
    peak = numba.float32(-math.inf)
    for j in range(me, cols, threads):
        peak = max(peak, x[i, j])
    parts[me] = peak
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if me < half:
            parts[me] = max(parts[me], parts[me + half])
        cuda.syncthreads()
        half //= 2
    peak = parts[0]
    cuda.syncthreads()
    total = numba.float32(0)
    for j in range(me, cols, threads):
        total += math.exp(x[i, j] - peak)
    parts[me] = total
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if me < half:
            parts[me] += parts[me + half]
        cuda.syncthreads()
        half //= 2
    total = parts[0]
    for j in range(me, cols, threads):
        y[i, j] = math.exp(x[i, j] - peak) / total


def run(x, y, rows, stream):
    softmax[rows, threads, stream](x, y)
