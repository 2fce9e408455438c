# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("scan: { along: i, op: sum", "scan: { along: i, exclusive: true, op: sum")


def outputs(w):
    return {"y": numpy.cumsum(w.x)}


def magnitudes(w):
    return {"y": numpy.cumsum(numpy.abs(w.x)).astype(numpy.float64)}
