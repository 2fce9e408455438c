# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

import attention

CHANGED = ("kv_indptr(b) + (j - prefix) / page_size", "(j - prefix) / page_size")


def structure(w):
    attention.in_pairs(w.kv_len, w.shortest, w.longest)
    everywhere = numpy.concatenate([w.prefix_indices, w.kv_indices])
    assert (numpy.sort(everywhere) == numpy.arange(w.pool)).all()
    return attention.paged_structure(w)


def places(w):
    shared = (w.prefix_indices[:, None] * w.page_size + numpy.arange(w.page_size)).ravel()
    return [numpy.concatenate([shared, own]) for own in attention.paged_places(w, w.longest)]


def found(w):
    keys, values = attention.pool(w.k_cache), attention.pool(w.v_cache)
    return attention.batched(w, keys, values, places(w), numpy.ones(w.batch, int), w.prefix + w.kv_len)


def outputs(w):
    return attention.outputs(w, found(w))


def references(w, _):
    return found(w) | {"place": numpy.array(places(w))}
