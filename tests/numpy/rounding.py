# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""fp64 to the nearest number of a dtype, in one step, from nothing but the list of its numbers, which is ml_dtypes'.

Where this differs from ml_dtypes' own conversion: beyond the largest number of a type of eight bits or fewer there is
that number (ml_dtypes: NaN or infinity, but for e2m1), no number is rounded to f32 on the way, and what lies between
the two smallest numbers of e8m0 goes to the nearer one (ml_dtypes: up).
"""

import ml_dtypes
import numpy

import memory

SMALL = ("e4m3", "e5m2", "e4m3_fnuz", "e5m2_fnuz", "e8m0", "e2m1")
INTEGERS = {name: numpy.iinfo(dtype) for name, dtype in memory.DTYPES.items() if name[0] in "iu"}


def numbers(dtype):
    """The finite numbers of a floating dtype of 16 bits or fewer that are not negative, ascending, which is the order
    of their patterns; the first pattern."""
    size = 16 if dtype in ("f16", "bf16") else 4 if dtype == "e2m1" else 8
    patterns = numpy.arange(1 << size, dtype=numpy.uint16 if size == 16 else numpy.uint8)
    if dtype != "e8m0":
        patterns = patterns[: len(patterns) // 2]
    with numpy.errstate(invalid="ignore"):  # signalling NaN
        all_of_them = patterns.view(memory.DTYPES[dtype]).astype(numpy.float64)
    finite = all_of_them[numpy.isfinite(all_of_them)]
    assert (numpy.diff(finite) > 0).all()
    return finite


def nearest(dtype, x):
    """In fp64 or, of integers, int64 (downwards, then limited)."""
    x = numpy.asarray(x)
    if dtype == "f64":
        return x.astype(numpy.float64)
    if dtype == "f32":
        with numpy.errstate(over="ignore"):
            return x.astype(numpy.float32).astype(numpy.float64)
    if dtype == "bool":
        return (numpy.floor(x) >= 1).astype(numpy.int64)
    if dtype in INTEGERS:
        limits = INTEGERS[dtype]
        if x.dtype == object:  # whole numbers of any size
            return memory.wide(numpy.array([min(max(k, limits.min), limits.max) for k in x], limits.dtype))
        whole, low, high = numpy.floor(x), float(limits.min), float(limits.max)
        inside = numpy.where((whole > low) & (whole < high), whole, 0).astype(limits.dtype)
        inside = numpy.where(whole >= high, limits.dtype.type(limits.max), inside)
        return memory.wide(numpy.where(whole <= low, limits.dtype.type(limits.min), inside))
    finite, size = numbers(dtype), numpy.abs(x)
    low = numpy.clip(numpy.searchsorted(finite, size, "right") - 1, 0, len(finite) - 2)
    down, up = size - finite[low], finite[low + 1] - size  # exact: these are close to one another
    high = (up < down) | ((up == down) & ((low % 2 == 1) | (dtype == "e8m0")))  # ties to even; powers of two upwards
    result = finite[low + high]
    if dtype in ("f16", "bf16"):
        step = finite[-1] - finite[-2]
        result = numpy.where(size >= finite[-1] + step / 2, numpy.inf, result)
    result = numpy.where(numpy.isnan(x), numpy.nan, numpy.copysign(result, x))
    if dtype == "e8m0":
        result = numpy.where(x < 0, numpy.nan, result)
    if dtype.endswith("fnuz"):
        result = numpy.where(result == 0, 0.0, result)  # there is no -0
    return result


def check():
    """Against ml_dtypes' conversion of f32, where that is meant to agree: every midpoint, beside it, and at random."""
    generator = numpy.random.default_rng(1)
    for dtype in SMALL + ("f16", "bf16"):
        finite = numbers(dtype)
        middles = ((finite[1:] + finite[:-1]) / 2).astype(numpy.float32)
        up, down = numpy.float32(numpy.inf), numpy.float32(0)
        x = numpy.concatenate([finite, middles, numpy.nextafter(middles, down), numpy.nextafter(middles, up)])
        exponents = generator.uniform(numpy.log2(finite[1] / 4), numpy.log2(finite[-1]), 20000)
        x = numpy.concatenate([x, numpy.exp2(exponents)])
        x = x.astype(numpy.float32).astype(numpy.float64)
        x = x[(x <= finite[-1]) & (x > 0)]
        x = x[x >= finite[1]] if dtype == "e8m0" else numpy.concatenate([x, -x])
        other = x.astype(memory.DTYPES[dtype]).astype(numpy.float64)
        mine = nearest(dtype, x)
        assert (mine == other).all(), (dtype, x[mine != other][:5], mine[mine != other][:5], other[mine != other][:5])
        largest = numpy.array([finite[-1] * 2])
        with numpy.errstate(over="ignore"):
            beyond = largest.astype(memory.DTYPES[dtype]).astype(numpy.float64)[0]
        assert nearest(dtype, largest)[0] == (numpy.inf if dtype in ("f16", "bf16") else finite[-1])
        assert not numpy.isfinite(beyond) or dtype == "e2m1", "then the docstring above is out of date"
    assert ml_dtypes.bfloat16(1 + 2**-8 + 2**-40) == 1, "then so is the second of its differences"
