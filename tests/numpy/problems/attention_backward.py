# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("(dp(b, h, i, j) - delta(b, h, i))", "(dp(b, h, i, j) + delta(b, h, i))")


def found(w):
    """The references, with batch and heads first; and the size of what adds up to scores, and to dp."""
    group = w.heads // w.kv_heads
    q, k, v, out, dout = (x.swapaxes(1, 2) for x in (w.q, w.k, w.v, w.out, w.dout))
    k, v = k.repeat(group, 1), v.repeat(group, 1)
    root = numpy.sqrt(w.head_dim)
    score = q @ k.swapaxes(2, 3) / root
    p = numpy.exp(score) / 2.0 ** w.lse.swapaxes(1, 2)[..., None]
    if w.causal:
        p = numpy.tril(p)
    dp = dout @ v.swapaxes(2, 3)
    delta = (dout * out).sum(3)
    ds = p * (dp - delta[..., None]) / root
    least = 0.000061 if w.types["real"] == "f16" else 0
    weight = numpy.where(p > 0, numpy.maximum(p, least), 0)
    share = numpy.where(p > 0, numpy.maximum(weight * (numpy.abs(dp) + numpy.abs(delta[..., None])) / root, least), 0)

    def by_groups(x):
        """Of heads of q, added up to those of k."""
        return x.reshape(w.batch, w.kv_heads, group, w.len, w.head_dim).sum(2)

    size = (1 + (numpy.abs(q) @ numpy.abs(k).swapaxes(2, 3) / root).max(initial=0)) * (1 + numpy.abs(dp).max(initial=0))
    squares = {
        "dq_squares": share**2 @ k**2,
        "dk_squares": by_groups(share.swapaxes(2, 3) ** 2 @ q**2),
        "dv_squares": by_groups(weight.swapaxes(2, 3) ** 2 @ dout**2),
    }
    turned = {
        "dq": ds @ k,
        "dk": by_groups(ds.swapaxes(2, 3) @ q),
        "dv": by_groups(p.swapaxes(2, 3) @ dout),
        **squares,
        **{name.replace("squares", "spread"): numpy.sqrt(value) for name, value in squares.items()},
    }
    rows_first = {name: value.swapaxes(1, 2) for name, value in turned.items()}
    return {"score": score, "p": p, "dp": dp, "delta": delta, "ds": ds, "weight": weight, "share": share, "least": numpy.array([least])} | rows_first, size


def outputs(w):
    return {name: found(w)[0][name] for name in ("dq", "dk", "dv")}


def references(w, _):
    values, size = found(w)
    return {name: (value, size) for name, value in values.items()}
