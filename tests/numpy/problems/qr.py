# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = (
    'index: { b: batch, i: cols }, reduce: { over: { k: cols }, op: sum, term: "r(b, i, k)',
    'index: { b: batch, i: cols }, reduce: { over: { k: cols }, op: sum, term: "r(b, k, i)',
)


def outputs(w):
    q, r = numpy.linalg.qr(w.a)
    return {"q": q, "r": numpy.triu(r)}


def references(w, given):
    a, q, r, z = w.a, given.q, given.r, given.z
    norm = (a * a).sum((1, 2))
    az, rz, qz = a @ z, r @ z, q @ z
    qrz = numpy.einsum("bik,bk->bi", q, rz)
    qqz = numpy.einsum("bik,bi->bk", q, qz)
    apart, skew = qrz - az, qqz - z
    az_size, rz_size, qz_size = numpy.abs(a).sum(2), numpy.abs(r).sum(2), numpy.abs(q).sum(2)
    qrz_size = numpy.einsum("bik,bk->bi", numpy.abs(q), rz_size)
    qqz_size = numpy.einsum("bik,bi->bk", numpy.abs(q), qz_size)
    # Squares of differences of nearly equal numbers: d changes by 1e-12 of their size at most.
    lost_size = ((2 * numpy.abs(apart) + 1e-12 * qrz_size) * (qrz_size + az_size)).sum(1)
    skewed_size = ((2 * numpy.abs(skew) + 1e-12 * qqz_size) * (qqz_size + 1)).sum(1)
    lost, skewed = (apart**2).sum(1), (skew**2).sum(1)
    floor = numpy.maximum(numpy.sqrt(norm), 1e-300)
    return {
        "norm": norm,
        "az": (az, az_size),
        "rz": (rz, rz_size),
        "qrz": (qrz, qrz_size),
        "lost": (lost, lost_size),
        "qz": (qz, qz_size),
        "qqz": (qqz, qqz_size),
        "skewed": (skewed, skewed_size),
        "checks.product": (numpy.sqrt(lost) / floor, numpy.sqrt((qrz_size + az_size) ** 2).sum(1) / floor),
        "checks.orthonormal": (numpy.sqrt(skewed / w.cols), (qqz_size + 1).sum(1)),
    }
