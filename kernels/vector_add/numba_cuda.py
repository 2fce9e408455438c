# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba for CUDA: a thread an element", framework: numba.cuda }
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def run(a, b, c, n, stream):
    threads = 256
    count = n * n
    if count:
        add[(count + threads - 1) // threads, threads, stream](a.reshape(count), b.reshape(count), c.reshape(count))
