# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Numba: a row at a time, on all processors", framework: numba, types: { real: [f32] } }
import math

import numba
import numpy as np


@numba.njit(["void(f4[:, ::1], f4[:, ::1])"], parallel=True, fastmath={"contract", "reassoc", "nsz", "arcp"})
def softmax(x, y):
    for i in numba.prange(x.shape[0]):
        peak = x[i, 0]
        for j in range(x.shape[1]):
            peak = max(peak, x[i, j])
        total = np.float32(0)
        for j in range(x.shape[1]):
            y[i, j] = math.exp(x[i, j] - peak)
            total += y[i, j]
        scale = np.float32(1) / total
        for j in range(x.shape[1]):
            y[i, j] *= scale


def run(x, y):
    softmax(x, y)
