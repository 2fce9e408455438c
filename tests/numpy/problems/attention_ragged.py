# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

import attention

CHANGED = ("q_len(owner(t)) - window_left)", "q_len(owner(t)) - window_left - 1)")


def structure(w):
    return attention.ragged_structure(w) | {"kv_indptr": attention.offsets(w.kv_len)}


def places(w):
    token = numpy.arange(w.longest_kv)
    return [numpy.where(token < keys, first + token, 0) for first, keys in zip(w.kv_indptr, w.kv_len)]


def found(w):
    return attention.batched(w, w.k, w.v, places(w), w.q_len, w.kv_len)


def outputs(w):
    return attention.outputs(w, found(w))


def references(w, _):
    return found(w) | attention.ragged_references(w, places(w)) if w.batch else {}
