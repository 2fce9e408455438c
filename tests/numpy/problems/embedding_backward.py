# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ('term: "gradient(t, w)"', 'term: "gradient(t, w / 2)"')


def table(w, gradient):
    y = numpy.zeros((w.vocabulary, w.width))
    numpy.add.at(y, w.token, gradient)
    return y


def outputs(w):
    return {"y": table(w, w.gradient)}


def magnitudes(w):
    return {"y": table(w, numpy.abs(w.gradient))}
