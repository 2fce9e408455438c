# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("(llz(b, i) - az(b, i))", "(llz(b, i) - 0.999999 * az(b, i))")


def outputs(w):
    return {"l": numpy.linalg.cholesky(w.a)}


def references(w, given):
    l, z = given.l, given.z
    size = numpy.abs(l)
    lz, lz_size = numpy.einsum("bik,i->bk", l, z), size.sum(1)
    llz, llz_size = numpy.einsum("bik,bk->bi", l, lz), numpy.einsum("bik,bk->bi", size, lz_size)
    az, az_size = w.a @ z, numpy.abs(w.a).sum(2)
    diagonal = numpy.einsum("bii->bi", w.a)
    trace = diagonal.sum(1)
    unit = numpy.sqrt(diagonal * trace[:, None])
    return {
        "lz": (lz, lz_size),
        "llz": (llz, llz_size),
        "az": (az, az_size),
        "trace": trace,
        "checks.product": ((llz - az) / unit, (llz_size + az_size) / unit),
        "checks.positive": numpy.where(numpy.einsum("bii->bi", l) > 0, 0, 1),
    }
