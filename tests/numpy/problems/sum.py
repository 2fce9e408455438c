# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("over: { i: n }", "over: { i: [1, n] }")


def outputs(w):
    return {"y": w.x.sum()}


def magnitudes(w):
    return {"y": numpy.abs(w.x).sum()}
