# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

import attention

CHANGED = ("1.4426950408889634 + log2(total(h, b))", "1.4426950408889634 + log(total(h, b))")


def one(w):
    return numpy.ones(w.batch, int)


def structure(w):
    attention.in_pairs(w.kv_len, w.shortest, w.longest)
    return attention.paged_structure(w) | {"visible": attention.amounts(w, one(w))["visible"]}


def found(w, places):
    keys, values = attention.pool(w.k_cache), attention.pool(w.v_cache)
    return attention.batched(w, keys, values, places, one(w), w.kv_len)


def outputs(w):
    return attention.outputs(w, found(w, attention.paged_places(w, w.longest)))


def references(w, _):
    places = attention.paged_places(w, w.longest)
    sights = [attention.sight(w, 1, keys, 0) for keys in w.kv_len]
    return found(w, places) | {
        "begin": numpy.array([begin[0] for begin, *_ in sights]),
        "end": numpy.array([end[0] for _, end, _ in sights]),
        "place": numpy.array(places),
    }
