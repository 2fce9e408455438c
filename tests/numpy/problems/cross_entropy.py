# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("log(total(t)) + peak(t) - x(t, target(t))", "log(total(t)) - x(t, target(t))")


def peak(w):
    return w.x.max(1)


def total(w):
    return numpy.exp(w.x - peak(w)[:, None]).sum(1)


def outputs(w):
    own = w.x[numpy.arange(w.tokens), w.target]
    return {"loss": (numpy.log(total(w)) + peak(w)) - own}


def references(w, _):
    rounding = 8 + numpy.sqrt(w.vocab) / 4 + numpy.abs(peak(w))
    return {"peak": peak(w), "total": total(w), "rounding": rounding, "loss": (outputs(w)["loss"], rounding)}
