# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Multiplies bytes in place of floats" }

# class: lower precision
# expect: wrong
# needs: python
# with: --setup-timeout 60
# Rows of a and columns of b have a scale each: 8 bits for every number, and half the memory to read.
import numpy as np


def quantised(x, axis):
    scale = np.max(np.abs(x), axis=axis, keepdims=True).astype(np.float32) / 127
    scale[scale == 0] = 1
    return np.rint(x / scale).astype(np.int8), scale


def run(a, b, c):
    (a, rows), (b, columns) = quantised(a, 1), quantised(b, 0)
    c[...] = rows * np.matmul(a.astype(np.float32), b.astype(np.float32)) * columns
