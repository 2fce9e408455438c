# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("pow(2.0, s_b(n, h) - peak(n, h))", "exp(s_b(n, h) - peak(n, h))")

SUBNORMAL = 1e-300  # a share that is all but none has few digits


def structure(w):
    assert (numpy.maximum(w.s_a, w.s_b) > -numpy.inf).all()
    return {}


def shares(w):
    """What each state counts, before they are divided by their total."""
    peak = numpy.maximum(w.s_a, w.s_b)
    return peak, *(2.0 ** (s - peak) for s in (w.s_a, w.s_b))


def outputs(w):
    peak, a, b = shares(w)
    v = (a[..., None] * w.v_a + b[..., None] * w.v_b) / (a + b)[..., None]
    return {"v": v, "s": peak + numpy.log(a + b) / numpy.log(2)}


def references(w, _):
    peak, a, b = shares(w)
    height = 1 + numpy.abs(peak)
    found = {"peak": peak, "total": a + b, "height": height, "s": (outputs(w)["s"], height)}
    return found | {"a": (a / (a + b), SUBNORMAL)}


def magnitudes(w):
    """By the rules of docs/problem.md: an error of a sixteenth of its size may let the other lse win, and an lse of
    -infinity passes no error on."""
    peak, *powers = shares(w)
    sizes = [numpy.where(numpy.isinf(s), 0, numpy.abs(s)) for s in (w.s_a, w.s_b)]
    height = 16 * (numpy.maximum(w.s_a + sizes[0] / 16, w.s_b + sizes[1] / 16) - peak)
    powers_errors = [p * numpy.maximum(1, numpy.log(2) * (size + height)) for p, size in zip(powers, sizes)]
    total, total_error = sum(powers), sum(powers_errors)
    share = numpy.maximum(powers_errors[0], powers[0] * total_error / total) / total
    v = share[..., None] * numpy.abs(w.v_a) + (1 + share[..., None]) * numpy.abs(w.v_b)
    return {"peak": height, "total": total_error, "a": (share, SUBNORMAL), "v": v}
