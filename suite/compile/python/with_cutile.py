# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A cuTile kernel to a cubin."""

import io
import os
import tempfile

os.environ["CUDA_TILE_CACHE_DIR"] = tempfile.gettempdir()

import cuda.tile as ct  # noqa: E402
import cuda.tile.compilation as cc  # noqa: E402

RULES = {
    "imports": {"cuda.tile"},
    "packages": ("cuda.tile",),
    "roots": {},
    "decorators": ("cuda.tile.kernel", "cuda.tile.function"),
    "called_decorators": True,
    "constants": (),
}

ALIGNED = 256  # bytes: every tensor, structure and scratch begins so
DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64",
    "u32": "uint32", "u16": "uint16", "u8": "uint8", "bool": "bool_",
}


def dtype_of(name):
    found = getattr(ct, DTYPES.get(name, ""), None)
    if found is None:
        raise TypeError(f"found dtype {name}, which cuTile does not have")
    return found


def divisor(number):
    """The largest power of two up to 16 that divides it."""
    return next(d for d in (16, 8, 4, 2, 1) if number % d == 0)


def constraint(argument, shared):
    if "number" in argument:
        return cc.ScalarConstraint(dtype_of(argument["number"]))
    extents, strides = argument["extents"], argument["strides"]
    return cc.ArrayConstraint(
        dtype_of(argument["array"]), len(extents),
        index_dtype=ct.int32, stride_lower_bound_incl=0,
        alias_groups=(argument["name"],) if argument["name"] in shared else (), may_alias_internally=False,
        stride_constant=[1 if stride == 1 and i + 1 == len(strides) else None for i, stride in enumerate(strides)],
        stride_divisible_by=[divisor(stride) for stride in strides],
        shape_divisible_by=[divisor(extent) for extent in extents],
        base_addr_divisible_by=ALIGNED)


def compile_kernel(kernel, request):
    names = request["parameters"]
    constants = request["constants"]
    unknown = [name for name in constants if name not in names]
    if unknown:
        raise TypeError(f"found constant '{unknown[0]}', expected one of {', '.join(names)}")
    given = list(request["arguments"])
    wanted = [name for name in names if name not in constants]
    if len(wanted) != len(given):
        raise TypeError(f"found {len(given)} arguments besides the constants, expected {len(wanted)}: "
                        f"{', '.join(wanted)}")
    memory = [argument["name"] for argument in given if "array" in argument]
    shared = {name for name in memory if memory.count(name) > 1}
    parameters = []
    for name in names:
        if name in constants:
            value = constants[name]
            parameters.append(cc.ConstantConstraint(int(value) if float(value).is_integer() else value))
        else:
            parameters.append(constraint(given.pop(0), shared))
    signature = cc.KernelSignature(parameters, cc.CallingConvention.cutile_python_v1(), symbol=request["kernel"])
    code = io.BytesIO()
    cc.export_kernel(kernel, [signature], code, gpu_code=request["target"], output_format="cubin")
    # The block is what the code requires; its shared memory is static.
    return {"symbol": request["kernel"], "threads": 0, "shared": 0, "trailing": 0}, code.getvalue()

