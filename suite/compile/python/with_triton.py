# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A Triton kernel to a cubin, an AMD code object, or PTX where the request asks for that."""

import os
import tempfile

os.environ["TRITON_CACHE_DIR"] = tempfile.gettempdir()
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # multiply and add become one, as with nvcc

import triton  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

RULES = {
    "imports": {"triton", "triton.language", "triton.language.extra.libdevice"},
    "packages": ("triton.language",),
    "roots": {"triton": {"jit", "language", "cdiv", "next_power_of_2"}},
    "decorators": ("triton.jit",),
    "called_decorators": False,
    "constants": ("triton.language.constexpr",),
}

TYPES = {
    "f64": "fp64", "f32": "fp32", "f16": "fp16", "bf16": "bf16", "e4m3": "fp8e4nv", "e5m2": "fp8e5",
    "e4m3_fnuz": "fp8e4b8", "e5m2_fnuz": "fp8e5b16", "e8m0": "u8", "e2m1": "u8", "bool": "i1",
}  # integers have the same names


def target_of(request):
    name = request["target"]
    if name.startswith("gfx"):
        return GPUTarget("hip", name, request["warp"])
    return GPUTarget("cuda", int("".join(c for c in name if c.isdigit())), request["warp"])


def compile_kernel(kernel, request):
    if not isinstance(kernel, triton.runtime.JITFunction):
        raise TypeError(f"found {type(kernel).__name__}, expected a function under @triton.jit alone")
    constants = {name: int(value) if float(value).is_integer() else value
                 for name, value in request["constants"].items()}
    unknown = [name for name in constants if name not in kernel.arg_names]
    if unknown:
        raise TypeError(f"found constant '{unknown[0]}', expected one of {', '.join(kernel.arg_names)}")
    names = [name for name in kernel.arg_names if name not in constants]
    arguments = request["arguments"]
    if len(names) != len(arguments):
        raise TypeError(f"found {len(arguments)} arguments besides the constants, expected {len(names)}: "
                        f"{', '.join(names)}")
    for parameter in kernel.params:
        if parameter.is_constexpr and parameter.name not in constants:
            raise TypeError(f"found no constant '{parameter.name}', expected it below `constants`")
    signature, attributes = {}, {}
    given = iter(arguments)
    for place, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        argument = next(given)
        dtype = argument.get("array") or argument["number"]
        signature[name] = ("*" if "array" in argument else "") + TYPES.get(dtype, dtype)
        if "array" in argument or argument["divisible"]:
            attributes[(place,)] = [["tt.divisibility", 16]]
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
    target = target_of(request)
    options = {name: int(value) for name, value in request["options"].items()}
    compiled = triton.compile(source, target=target, options=options)
    about = compiled.metadata
    for scratch in ("global_scratch_size", "profile_scratch_size"):
        if getattr(about, scratch, 0):
            raise NotImplementedError(f"the kernel wants {scratch}, which sealed kernels are not given")
    if getattr(about, "num_ctas", 1) != 1:
        raise NotImplementedError("the kernel wants clusters, which sealed Triton kernels are not given")
    if getattr(about, "launch_cooperative_grid", False):
        raise NotImplementedError("the kernel wants a cooperative launch, which sealed kernels are not given")
    code = compiled.asm["ptx"].encode() if request.get("ptx") else compiled.asm["hsaco" if target.backend == "hip" else "cubin"]
    return {"symbol": about.name, "threads": about.num_warps * target.warp_size, "shared": about.shared,
            "trailing": 2}, code
