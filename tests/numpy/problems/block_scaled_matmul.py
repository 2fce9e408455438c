# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("b_scale(j / group, l / group)", "b_scale(j / group, 0)")


def scaled(w):
    groups = numpy.arange(w.k) // w.group
    b_scale = w.b_scale[numpy.arange(w.n) // w.group]
    return w.a * w.a_scale[:, groups], w.b * b_scale[:, groups]


def outputs(w):
    a, b = scaled(w)
    return {"c": a @ b.T}


def magnitudes(w):
    a, b = scaled(w)
    return {"c": numpy.abs(a) @ numpy.abs(b).T}
