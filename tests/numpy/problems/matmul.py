# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("over: { l: k }", "over: { l: [1, k] }")


def outputs(w):
    return {"c": w.a @ w.b}


def magnitudes(w):
    return {"c": numpy.abs(w.a) @ numpy.abs(w.b)}
