# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ('"values(e) * x(columns(e))"', '"values(e) * abs(x(columns(e)))"')


def structure(w):
    assert sorted(w.rank) == list(range(w.rows))
    share = (1.0 + w.rank) ** -w.skew
    reached = numpy.cumsum(share)
    row_ptr = [0]
    for part in reached:
        row_ptr.append(min(row_ptr[-1] + w.cols, int(part / reached[-1] * w.nnz)))
    for first, last in zip(row_ptr, row_ptr[1:]):
        columns = w.columns[first:last]
        assert (numpy.diff(columns) > 0).all() and (columns >= 0).all() and (columns < w.cols).all()
        assert len(columns) == 0 or columns[-1] - columns[0] < max(min(w.band, w.cols), len(columns))
    return {"share": share, "row_ptr": numpy.array(row_ptr)}


def summed(w, terms):
    rows = numpy.repeat(numpy.arange(w.rows), numpy.diff(w.row_ptr))
    return numpy.bincount(rows, terms, w.rows) if w.rows else numpy.zeros(0)


def terms(w):
    return w.values * w.x[w.columns]


def outputs(w):
    return {"y": summed(w, terms(w))}


def magnitudes(w):
    return {"y": summed(w, numpy.abs(terms(w)))}
