# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

import numpy

CHANGED = ("x(s, r, i)", "x(s, 0, i)")


def outputs(w):
    return {"y": w.x.sum(0)}


def magnitudes(w):
    return {"y": numpy.abs(w.x).sum(0)}
