# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Softmax attention with FlashInfer's variants, one request at a time, for the modules of problems/ that need it.

Arrays have the heads first, then rows of queries, then keys or elements. together() puts the rows of ROWS_FIRST in
front of the heads, as the problems do.
"""

import types

import numpy

ROWS_FIRST = ("out", "spread", "lse", "lse_scale")
OFF = {"causal": 1, "window_left": -1, "soft_cap": 0, "alibi": 0, "sinks": 0, "rope": 0, "k_scale": 1, "v_scale": 1}


def turned(x, position):
    """Rotary embedding: the halves of the last axis are the parts of complex numbers."""
    half = x.shape[-1] // 2
    angle = position[:, None, None] * 10000.0 ** (-numpy.arange(half) / half)
    y = (x[..., :half] + 1j * x[..., half:]) * numpy.exp(1j * angle)
    return numpy.concatenate([y.real, y.imag], -1)


def sight(w, rows, keys, most):
    """Of each of the last `rows` of `keys` positions: where what it sees begins and ends; which of `most` keys."""
    w = types.SimpleNamespace(**OFF | vars(w))
    position = numpy.arange(keys - rows, keys)
    begin = numpy.maximum(0, position - w.window_left) if w.window_left >= 0 else 0 * position
    end = numpy.maximum(0, position + 1) if w.causal else 0 * position + keys
    key = numpy.arange(most)
    return begin, end, (key >= begin[:, None]) & (key < end[:, None])


def weigh(score, seen, v, sink=None, v_scale=1, score_error=0.001, rounded_keys=False):
    """From the scores on; `v` has the heads first as well. `score_error` is in eps of the real type, to which `rounded_keys` are rounded."""
    with numpy.errstate(all="ignore"):  # a row that sees nothing
        peak = numpy.where(seen, score, -numpy.inf).max(2, initial=-numpy.inf)
        highest = peak if sink is None else numpy.maximum(peak, sink[:, None])
        weight = numpy.exp(score - highest[:, :, None])
        counted = numpy.where(seen, weight, 0)
        total = counted.sum(2) + (0 if sink is None else numpy.exp(sink[:, None] - highest))
        share = numpy.where(seen, weight / total[:, :, None], 0) * v_scale
        lse = (highest + numpy.log(total)) / numpy.log(2)
        erring = (numpy.where((weight < 1) | rounded_keys, counted, 0) ** 2).sum(2)
        lse_scale = numpy.where(total > 0, numpy.sqrt(erring) / total + score_error * (1 + numpy.abs(lse)), 1)
    squares = share**2 @ v**2
    return {
        "score": score,
        "peak": peak,
        "highest": highest,
        "weight": weight,
        "sum_of_weights": counted.sum(2),
        "total": total,
        "out": share @ v,
        "squares": squares,
        "spread": numpy.sqrt(squares),
        "lse": lse,
        "squares_of_weights": erring,
        "lse_scale": lse_scale,
    }


def attend(w, q, k, v, keys):
    """The last rows of a request with `keys` keys; the rows of k and v behind these are padding."""
    w = types.SimpleNamespace(**OFF | vars(w))
    row, key = numpy.arange(len(q)), numpy.arange(len(k))
    if w.rope:
        q, k = turned(q, row + keys - len(q)), turned(k, key)
    group = q.shape[1] // k.shape[1]
    k = numpy.where(key[:, None, None] < keys, k, 0)
    q, k, v = q.swapaxes(0, 1), k.repeat(group, 1).swapaxes(0, 1), v.repeat(group, 1).swapaxes(0, 1)
    product = q @ k.swapaxes(1, 2)
    # Scores add up products of both signs, to which their errors are relative, and so those of all that follows.
    size = (numpy.abs(q) @ numpy.abs(k).swapaxes(1, 2)).max(2, initial=0) * w.k_scale / numpy.sqrt(w.head_dim)
    score = w.k_scale * product / numpy.sqrt(w.head_dim)
    if w.soft_cap:
        score = w.soft_cap * numpy.tanh(score / w.soft_cap)
    if w.alibi:
        score = score + w.slope[:, None, None] * (key - row[:, None])
        size = size + w.slope[:, None] * k.shape[1]
    seen = sight(w, len(q[0]), keys, len(key))[2]
    return {"product": product, "size": 1 + size} | weigh(score, seen, v, w.sink if w.sinks else None, w.v_scale, rounded_keys=w.rope == 1)


def together(parts):
    """What was found of each request, at least one, as one: every reference, and what its errors are relative to."""
    found = {name: numpy.concatenate([part[name] for part in parts], 1) for name in parts[0]}
    size = found.pop("size")
    for name, value in found.items():
        both = value, size.reshape(size.shape + (1,) * (value.ndim - 2))
        found[name] = tuple(x.swapaxes(0, 1) for x in both) if name in ROWS_FIRST else both
    return found


def batched(w, k, v, places, q_len, keys):
    """Of all requests: request b has places[b] of k and v, of which keys[b] count."""
    ends = numpy.cumsum(q_len)
    parts = [
        attend(w, w.q[end - count : end], k[place], v[place], own)
        for end, count, place, own in zip(ends, q_len, places, keys)
    ]
    return together(parts) if parts else {}


def outputs(w, found):
    if not found:  # no requests
        return {"out": numpy.zeros((0, 1, 1)), "lse": numpy.zeros((0, 1))}
    out, lse = found["out"][0], found["lse"][0]
    return {"out": out, "lse": lse if getattr(w, "with_lse", 0) else lse[:0]}


def in_pairs(length, shortest, longest):
    """Whether lengths were drawn as the problems say."""
    assert (length >= shortest).all() and (length <= longest).all()
    assert (length[1::2] + length[: len(length) // 2 * 2 : 2] == shortest + longest).all()


def offsets(length):
    return numpy.concatenate([[0], numpy.cumsum(length)])


def amounts(w, q_len):
    """Keys that some row sees, and pairs of a row and a key that it sees."""
    seen = [sight(w, rows, keys, keys)[2] for rows, keys in zip(q_len, w.kv_len)]
    return {"visible": sum(s.any(0).sum() for s in seen), "pairs": sum(s.sum() for s in seen)}


def paged_structure(w):
    count = -(-w.kv_len // w.page_size)
    used = w.kv_indices[: count.sum()]
    assert len(set(used)) == len(used) and (used >= 0).all() and (used < w.pool).all()
    last = numpy.where(count > 0, w.kv_len - (count - 1) * w.page_size, 0)
    return {"kv_indptr": offsets(count), "last_page_len": last}


def paged_places(w, most):
    """Of each request the places of its keys in the pool, and 0 behind the last."""
    places = []
    for first, keys in zip(w.kv_indptr, w.kv_len):
        token = numpy.arange(keys)
        place = w.kv_indices[first + token // w.page_size] * w.page_size + token % w.page_size
        places.append(numpy.pad(place, (0, most - keys)))
    return places


def pool(cache):
    """Rows of tokens, without the borders of pages."""
    return cache.reshape(-1, *cache.shape[2:])


def ragged_structure(w):
    in_pairs(w.q_len, w.q_shortest, w.q_longest)
    in_pairs(w.context, w.shortest, w.longest)
    return {"kv_len": w.q_len + w.context, "qo_indptr": offsets(w.q_len)} | amounts(w, w.q_len)


def ragged_references(w, places):
    """Where each row stands and what it sees."""
    owner = numpy.repeat(numpy.arange(w.batch), w.q_len)
    sights = [sight(w, rows, keys, 0) for rows, keys in zip(w.q_len, w.kv_len)]
    return {
        "owner": owner,
        "row": numpy.concatenate([numpy.arange(rows) for rows in w.q_len]),
        "begin": numpy.concatenate([begin for begin, *_ in sights]),
        "end": numpy.concatenate([end for _, end, _ in sights]),
        "place": numpy.stack(places)[owner],
    }
