# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import attention

CHANGED = ("kv_indptr(owner(t)) + j / page_size)", "kv_indptr(owner(t)) + max(0, j - 1) / page_size)")


def structure(w):
    return attention.ragged_structure(w) | attention.paged_structure(w)


def found(w):
    keys, values = attention.pool(w.k_cache), attention.pool(w.v_cache)
    return attention.batched(w, keys, values, attention.paged_places(w, w.longest_kv), w.q_len, w.kv_len)


def outputs(w):
    return attention.outputs(w, found(w))


def references(w, _):
    places = attention.paged_places(w, w.longest_kv)
    return found(w) | attention.ragged_references(w, places) if w.batch else {}
