# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = (
    "k_cache(slot(s) / page_size, slot(s) % page_size, h / (heads / kv_heads), d)",
    "k_cache(slot(s) / page_size, slot(s) % page_size, h % kv_heads, d)",
)


def structure(w):
    pages = -(-w.length // w.page_size)
    used = w.kv_indices[: pages.sum()]
    assert len(set(used)) == len(used) and (used >= 0).all() and (used < w.pool).all()
    assert (w.length >= w.shortest).all() and (w.length <= w.longest).all()
    return {
        "kv_indptr": numpy.concatenate([[0], numpy.cumsum(pages)]),
        "last_page_len": w.length - (pages - 1) * w.page_size,
        "first": numpy.concatenate([[0], numpy.cumsum(w.length)]),
    }


def requests(w):
    """Of each request: the slots of its tokens, their keys and values by heads of queries."""
    group = w.heads // w.kv_heads
    keys, values = (
        numpy.repeat(cache.reshape(-1, w.kv_heads, w.head_dim), group, axis=1) for cache in (w.k_cache, w.v_cache)
    )
    for b in range(w.batch):
        token = numpy.arange(w.length[b])
        slot = w.kv_indices[w.kv_indptr[b] + token // w.page_size] * w.page_size + token % w.page_size
        yield b, slot, keys[slot], values[slot]


def attention(w):
    parts = {name: [] for name in ("slot", "score", "peak", "weight", "total", "out", "squares")}
    for b, slot, key, value in requests(w):
        score = numpy.einsum("hd,shd->hs", w.q[b], key) * w.sm_scale
        weight = numpy.exp(score - score.max(1, keepdims=True))
        share = weight / weight.sum(1, keepdims=True)
        for name, part in zip(parts, (slot, score, score.max(1), weight, weight.sum(1))):
            parts[name].append(part)
        parts["out"].append(numpy.einsum("hs,shd->hd", share, value))
        parts["squares"].append(numpy.einsum("hs,shd->hd", share**2, value**2))
    if w.batch == 0:
        empty = numpy.zeros((0, w.heads, w.head_dim))
        return {"out": empty, "squares": empty}
    along = {"slot": 0, "score": 1, "weight": 1}
    for name, part in parts.items():
        parts[name] = numpy.concatenate(part, along[name]) if name in along else numpy.stack(part)
    return parts


def outputs(w):
    return {"out": attention(w)["out"]}


def references(w, _):
    if w.batch == 0:
        return {}
    found = attention(w)
    found["owner"] = numpy.repeat(numpy.arange(w.batch), w.length)
    found["spread"] = numpy.sqrt(found["squares"])
    # Scores add up products of both signs; errors of a score are relative ones of its weight.
    size = numpy.abs(w.q).max() * numpy.abs(w.k_cache).max() * w.head_dim * w.sm_scale
    for name in ("score", "peak"):
        found[name] = (found[name], size)
    for name in ("weight", "total"):
        found[name] = (found[name], 1 + size)
    found["out"] = (found["out"], (1 + size) * numpy.abs(w.v_cache).max())
    return found
