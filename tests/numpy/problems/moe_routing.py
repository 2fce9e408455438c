# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ('by: "logits(t, e)"', 'by: "-logits(t, e)"')


def chosen(w):
    rank = numpy.argsort(-w.logits, axis=1, kind="stable")[:, : w.k]
    return rank, numpy.take_along_axis(w.logits, rank, 1)


def outputs(w):
    expert, logit = chosen(w)
    weights = numpy.exp(logit - logit[:, :1])
    count = numpy.bincount(expert.ravel(), minlength=w.experts)
    return {
        "weights": weights / weights.sum(1, keepdims=True),
        "expert": expert,
        "offsets": numpy.concatenate([[0], numpy.cumsum(count)]),
        "pairs": numpy.argsort(expert.ravel(), kind="stable"),
    }


def references(w, given):
    rank, logit = chosen(w)
    count = numpy.bincount(given.expert.ravel(), minlength=w.experts)
    start = numpy.concatenate([[0], numpy.cumsum(count)])
    expert = given.expert.ravel()[given.pairs]  # of each place in the list
    place = numpy.arange(w.tokens * w.k)
    return {
        "rank": rank,
        "logit": logit,
        "total": numpy.exp(logit - logit[:, :1]).sum(1),
        "count": count,
        "start": start,
        "checks.chosen": numpy.take_along_axis(w.logits, given.expert, 1) - logit,
        "checks.counted": given.offsets - start,
        "checks.grouped": (place < given.offsets[expert]) | (place >= given.offsets[expert + 1]),
    }
