# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

import attention

CHANGED = ("latent(h, b, j) + rotated(h, b, j)", "latent(h, b, j) - rotated(h, b, j)")


def structure(w):
    attention.in_pairs(w.kv_len, w.shortest, w.longest)
    return attention.paged_structure(w)


def request(w, b, place):
    """All heads have the same keys, of whose two parts the first is the value as well."""
    present = (numpy.arange(w.longest) < w.kv_len[b])[:, None]
    ckv, kpe = (numpy.where(present, attention.pool(cache)[place], 0) for cache in (w.ckv, w.kpe))
    latent, rotated = (w.q_nope[b] @ ckv.T)[:, None], (w.q_pe[b] @ kpe.T)[:, None]
    size = numpy.abs(w.q_nope[b]) @ numpy.abs(ckv.T) + numpy.abs(w.q_pe[b]) @ numpy.abs(kpe.T)
    rest = {"latent": latent, "rotated": rotated, "size": 1 + size.max(1, keepdims=True)}
    return rest | attention.weigh(w.sm_scale * (latent + rotated), present.T, ckv, score_error=0.005)


def found(w, places):
    return attention.together([request(w, b, place) for b, place in enumerate(places)]) if places else {}


def outputs(w):
    return attention.outputs(w, found(w, attention.paged_places(w, w.longest)))


def references(w, _):
    places = attention.paged_places(w, w.longest)
    return found(w, places) | {"place": numpy.array(places)}
