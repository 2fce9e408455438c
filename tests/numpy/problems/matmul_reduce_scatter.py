# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

import numpy

CHANGED = ("b(r, p, j)", "b(0, p, j)")


def outputs(w):
    return {"c": (w.a @ w.b).sum(0)}


def magnitudes(w):
    return {"c": (numpy.abs(w.a) @ numpy.abs(w.b)).sum(0)}
