# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("x(i, indices(i, r)) != values", "x(i, indices(i, r)) == values")


def ranked(w):
    return numpy.argsort(-w.x, axis=1, kind="stable")[:, : w.k]


def outputs(w):
    return {"values": numpy.take_along_axis(w.x, ranked(w), 1), "indices": ranked(w)}


def references(w, given):
    taken = numpy.take_along_axis(w.x, given.indices, 1) != outputs(w)["values"]
    return {"rank": ranked(w), "checks.taken": taken}
