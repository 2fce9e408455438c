# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tensors as they lie in memory, to and from NumPy arrays: dtypes are NumPy's and ml_dtypes', layouts are computed."""

import math

import ml_dtypes
import numpy

DTYPES = {
    "f64": numpy.float64,
    "f32": numpy.float32,
    "f16": numpy.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3_fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2_fnuz": ml_dtypes.float8_e5m2fnuz,
    "e8m0": ml_dtypes.float8_e8m0fnu,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "i64": numpy.int64,
    "i32": numpy.int32,
    "i16": numpy.int16,
    "i8": numpy.int8,
    "u64": numpy.uint64,
    "u32": numpy.uint32,
    "u16": numpy.uint16,
    "u8": numpy.uint8,
    "bool": numpy.bool_,
}
FLOATS = ("f", "bf", "e")  # how the names of floating dtypes begin


def places(tensor):
    """For each element, in the tensor's shape, where it lies in memory, in elements."""
    extents = tensor["extents"]
    if tensor.get("layout") == "scales_128x4":
        rows, columns = extents[-2:]
        tiles = math.ceil(rows / 128) * math.ceil(columns / 4)
        batch = numpy.arange(math.prod(extents[:-2])).reshape(*extents[:-2], 1, 1)
        row, column = numpy.arange(rows)[:, None], numpy.arange(columns)
        tile = (batch * tiles) + row // 128 * math.ceil(columns / 4) + column // 4
        return tile * 512 + row % 32 * 16 + row // 32 % 4 * 4 + column % 4
    if tensor.get("layout") == "strided":
        at = numpy.zeros(extents, numpy.int64)
        for axis, stride in enumerate(tensor["strides"]):
            at += (numpy.arange(extents[axis]) * stride).reshape([-1] + [1] * (len(extents) - axis - 1))
        return at
    return numpy.arange(math.prod(extents)).reshape(extents)


def wide(array):
    """The numbers of an array, in fp64 or int64."""
    array = numpy.asarray(array)
    integral = array.dtype.kind in "iub"
    return array.astype(numpy.uint64 if array.dtype == numpy.uint64 else numpy.int64 if integral else numpy.float64)


def read(tensor, memory):
    """The numbers in `memory`, in the tensor's shape."""
    if tensor["dtype"] == "e2m1":  # two in a byte, the first in the low half
        memory = numpy.frombuffer(memory, numpy.uint8)
        memory = numpy.stack([memory & 15, memory >> 4], -1).ravel()
        return wide(memory.view(DTYPES["e2m1"])[places(tensor)])
    return wide(numpy.frombuffer(memory, DTYPES[tensor["dtype"]])[places(tensor)])


def rounded(dtype, values):
    """The nearest numbers of the dtype."""
    with numpy.errstate(over="ignore"):  # f16, f32: infinity, as it should be
        return numpy.asarray(values).astype(DTYPES[dtype])


def write(tensor, values):
    """Memory that holds `values`, rounded to the tensor's dtype; ones in every bit of the padding."""
    assert tensor["dtype"] != "e2m1", "no output of a problem is packed"
    items = numpy.full(tensor["bytes"], 255, numpy.uint8).view(DTYPES[tensor["dtype"]])
    items[places(tensor)] = rounded(tensor["dtype"], numpy.broadcast_to(values, tensor["extents"]))
    return items.tobytes()
