# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

import numpy

CHANGED = ("a(i, p)", "a(i % (m / ranks), p)")


def outputs(w):
    return {"c": w.a @ w.b}


def magnitudes(w):
    return {"c": numpy.abs(w.a) @ numpy.abs(w.b)}
