# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba for CUDA: tiles in shared memory, no tensor cores", framework: numba.cuda, types: { real: [f16] } }
import numba
from numba import cuda

side = 16


@cuda.jit
def product(a, b, c):
    left = cuda.shared.array((side, side), numba.float32)
    right = cuda.shared.array((side, side), numba.float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.blockIdx.y * side + y, cuda.blockIdx.x * side + x
    (m, k), n = a.shape, b.shape[1]
    total = numba.float32(0)
    for first in range(0, k, side):
        left[y, x] = numba.float32(a[i, first + x]) if i < m and first + x < k else numba.float32(0)
        right[y, x] = numba.float32(b[first + y, j]) if first + y < k and j < n else numba.float32(0)
        cuda.syncthreads()
        for l in range(side):
            total += left[y, l] * right[l, x]
        cuda.syncthreads()
    if i < m and j < n:
        c[i, j] = numba.types.float16(total)


def run(a, b, c, m, n, stream):
    blocks = ((n + side - 1) // side, (m + side - 1) // side)
    product[blocks, (side, side), stream](a, b, c)
