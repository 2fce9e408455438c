# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("a(b, t, h, i) * a(b, t, h, i) * power", "a(b, t, h, i) * power")


def states(w):
    """The state after each token, and the same of squares."""
    state = numpy.zeros((w.batch, w.tokens, w.heads, w.key_dim, w.value_dim))
    power = numpy.zeros_like(state)
    for t in range(w.tokens):
        update = w.k[:, t, :, :, None] * w.v[:, t, :, None, :]
        gate = w.a[:, t, :, :, None]
        state[:, t] = update + (gate * state[:, t - 1] if t else 0)
        power[:, t] = update**2 + (gate**2 * power[:, t - 1] if t else 0)
    return state, power


def outputs(w):
    return {"out": numpy.einsum("bthi,bthij->bthj", w.q, states(w)[0])}


def references(w, _):
    state, power = states(w)
    squares = numpy.einsum("bthi,bthij->bthj", w.q**2, power)
    spread = numpy.sqrt(squares)
    # Errors of the state are relative to what was added up, not to what is left of it.
    return {
        "state": (state, 10 * numpy.sqrt(power)),
        "out": (outputs(w)["out"], 10 * spread),
        "power": power,
        "squares": squares,
        "spread": spread,
    }
