# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ('"max(pad - i * stride, 0)"', '"max(pad - i * stride, 1)"')


def convolved(w, x, weight):
    x = numpy.pad(x, ((0, 0), (w.pad, w.pad), (w.pad, w.pad), (0, 0)))
    y = numpy.zeros((w.n, w.p, w.q, w.k))
    for u in range(w.r):
        for v in range(w.s):
            rows = slice(u, u + (w.p - 1) * w.stride + 1, w.stride)
            columns = slice(v, v + (w.q - 1) * w.stride + 1, w.stride)
            y += x[:, rows, columns, :] @ weight[:, u, v, :].T
    return y


def outputs(w):
    return {"y": convolved(w, w.x, w.weight)}


def magnitudes(w):
    return {"y": convolved(w, numpy.abs(w.x), numpy.abs(w.weight))}
