# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("* x_scale(e, l / group)", "* x_scale(e, 0)")


def scaled(w):
    a = w.a * numpy.repeat(w.a_scale, w.group, axis=2)
    x = w.x * numpy.repeat(w.x_scale, w.group, axis=1)
    return a, x[:, :, None]


def outputs(w):
    a, x = scaled(w)
    return {"y": (a @ x)[:, :, 0]}


def magnitudes(w):
    a, x = scaled(w)
    return {"y": (numpy.abs(a) @ numpy.abs(x))[:, :, 0]}
