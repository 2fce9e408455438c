# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ('b: "x(i)"', 'b: "bins - 1 - x(i)"')


def outputs(w):
    return {"y": numpy.bincount(w.x, minlength=w.bins)}


def references(w, _):
    tables = -(-262144 // w.bins)
    table = numpy.zeros((tables, w.bins), numpy.int64)
    numpy.add.at(table, (numpy.arange(w.n) % tables, w.x), 1)
    return {"table": table}
