# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Philox4x32-10 (Salmon, Moraes, Dror, Shaw, 2011), and the numbers that fills make of its words."""

import numpy

MASK = (1 << 32) - 1


def words(seed, tensor, count):
    """The first `count` words of a tensor's stream, in uint64."""
    blocks = numpy.arange((count + 3) // 4, dtype=numpy.uint64)
    c = [blocks & MASK, blocks >> numpy.uint64(32), numpy.full_like(blocks, tensor), numpy.zeros_like(blocks)]
    k0, k1 = seed & MASK, seed >> 32
    for _ in range(10):
        a, b = c[0] * numpy.uint64(0xD2511F53), c[2] * numpy.uint64(0xCD9E8D57)
        c = [(b >> 32) ^ c[1] ^ numpy.uint64(k0), b & MASK, (a >> 32) ^ c[3] ^ numpy.uint64(k1), a & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return numpy.stack(c, 1).ravel()[:count]


def of_variance_one(total, fraction, bits):
    """A sum of four integers of `bits` bits and a fraction of 32, centred; every step but the last is exact."""
    middle = 2 * ((1 << bits) - 1) + 0.5
    units = total.astype(numpy.float64) * 2.0**32 + (fraction.astype(numpy.float64) + 0.5)
    return (units - middle * 2.0**32) * (numpy.sqrt(12 / (2.0 ** (2 * bits + 2) - 3)) * 2.0**-32)


def normal(drawn, wide):
    if wide:
        first, second = drawn[0::2], drawn[1::2]
        parts = [x & 0xFFFF for x in (first, second)] + [x >> 16 for x in (first, second)]
        fraction = (first ^ (second >> 15)) * 0x9E3779B1 & MASK ^ (second ^ (first >> 13)) * 0x85EBCA6B & MASK
        return of_variance_one(sum(parts), fraction, 16)
    mixed = (drawn ^ (drawn >> 15)) * 0x9E3779B1 & MASK
    return of_variance_one(sum(drawn >> shift & 0xFF for shift in (0, 8, 16, 24)), mixed ^ (mixed >> 13), 8)


def uniform(drawn, wide):
    if wide:
        return ((drawn[0::2] | (drawn[1::2] << 32)) >> 11).astype(numpy.float64) * 2.0**-53
    return drawn.astype(numpy.float64) * 2.0**-32


def below(drawn, wide, count):
    """Whole numbers in [0, count), as Python's."""
    if wide:
        return [((int(a) | int(b) << 32) * count) >> 64 for a, b in zip(drawn[0::2], drawn[1::2])]
    return [(int(a) * count) >> 32 for a in drawn]
