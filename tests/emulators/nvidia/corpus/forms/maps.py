# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tensor maps that a kernel makes: of the host's one that it changes, or of zeros, in shared memory (PTX ISA 9.7.9.26,
tensormap.replace), handed on through global memory (9.7.13.16, tensormap.cp_fenceproxy). A box comes as the host's own map would
bring it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tensors import Tensor

from .boxes import OPERANDS, came_of, described, moved, rounded, span
from .form import Form
from .memories import LANES, ROW, WAIT, begun, expecting, scoped, sync
from .modules import MAP

_ELEMENT_TYPES = {"u8": 0, "u16": 1, "u32": 2, "s32": 3, "u64": 4, "s64": 5, "f16": 6, "f32": 7, "f64": 9, "bf16": 10}  # of .elemtype
_CONSTANTS = ("elemtype", "interleave_layout", "swizzle_mode", "fill_mode")
_NAME = "tensormap.replace.tile.{}.shared::cta.b1024.b{}"


def _replaced(field: str, value: int | str, dimension: int | None = None) -> str:
    wide = field in ("global_address", "global_stride")
    name, number = _NAME.format(field, 64 if wide else 32), "" if dimension is None else f"{dimension}, "
    if field in _CONSTANTS:
        return f"@!%p {name} [%copy], {value};\n"
    register = "%g" if wide else "%v"
    return f"mov.b{64 if wide else 32} {register}, {value}; @!%p {name} [%copy], {number}{register};\n"


def _placed(tensor: Tensor) -> list[tuple]:
    fields: list[tuple] = [("global_address", "%in")]
    fields += [("global_dim", extent, i) for i, extent in enumerate(tensor.extents)]
    return fields + [("global_stride", stride, i) for i, stride in enumerate(tensor.strides[1:])]


def _whole(tensor: Tensor) -> list[tuple]:
    fields = [("rank", len(tensor.extents) - 1), *_placed(tensor), *(("box_dim", box, i) for i, box in enumerate(tensor.box))]
    fields += [("element_stride", step, i) for i, step in enumerate(tensor.steps or [1] * len(tensor.box))]
    return fields + [("elemtype", _ELEMENT_TYPES[tensor.type]), ("interleave_layout", 0), ("swizzle_mode", tensor.swizzle), ("fill_mode", int(tensor.nan))]


def _load(host: Tensor, tensor: Tensor, at: list[int], fields: list[tuple], of_zeros: bool, variant: str) -> Form:
    """The map is made behind the box, and lies where the results will be."""
    size, rank = rounded(span(tensor)), len(tensor.box)
    copied = "cp.async.bulk.tensor." + f"{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    handed = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
    acquired = "fence.proxy.tensormap::generic.acquire.gpu"
    text = ".reg .b32 %copy; .reg .b64 %made;\n" + begun(size, moved(tensor))
    text += f"add.u32 %copy, %box, {size}; setp.ge.u32 %q, %t, {MAP // 4}; @%q bra COPIED;\n"
    text += "shl.b32 %v, %t, 2; add.u32 %word, %copy, %v; cvt.u64.u32 %g, %v; add.u64 %g, %map, %g;\n"
    text += "mov.b32 %v, 0;" if of_zeros else "ld.b32 %v, [%g];"
    text += f" st.shared.b32 [%word], %v;\nCOPIED: {sync()}\n" + "".join(_replaced(*field) for field in fields)
    text += f"{sync()} shl.b64 %made, %wide, 2; sub.u64 %made, %place, %made; @%q bra HANDED;\n{handed} [%made], [%copy], {MAP};\n"
    text += f"{acquired} [%made], {MAP};\n@!%p {copied} [%box], [%made, {{{', '.join(map(str, at))}}}], [%bar];\nHANDED: {WAIT}{sync()}\n"
    text += "shl.b32 %word, %t, 2; add.u32 %word, %box, %word;\n"
    text += "".join(f"ld.shared.b32 %v, [%word+{i}]; " + ("@%late not.b32 %v, %v; " if i == 0 else "") + f"st.global.b32 [%place+{i}], %v; "
                    for i in range(0, size, ROW))  # fmt: skip
    name = ", ".join((_NAME.format(fields[-1][0], 32 if fields[-1][0] in _CONSTANTS else 64), handed, acquired, copied))
    came = came_of(tensor.places(at), size, tensor, tensor.nan, True)
    return Form(name, scoped(text + "\n"), OPERANDS, ("b32",) * (size // ROW), "sm_90a", f"{variant}: {described(tensor, at)}", "memory",
                expecting(OPERANDS, came), LANES, True, 1, size + MAP, host, True)  # fmt: skip


_HOST, _TENSOR = Tensor("bf16", [40, 9], [32, 8], 2), Tensor("bf16", [72, 20], [32, 8], 2)


def forms() -> Iterator[Form]:
    """Address, extents and strides."""
    for at in ([8, 3], [56, 15]):
        yield _load(_HOST, _TENSOR, at, _placed(_TENSOR), False, "another tensor")
    deep = Tensor("u16", [40, 5, 4, 6], [32, 3, 2, 2], 2)
    yield _load(Tensor("u16", [32, 3, 2, 2], [32, 3, 2, 2], 2), deep, [24, 3, 2, 4], _placed(deep), False, "another tensor")


def whole_forms() -> Iterator[Form]:
    """Every field of a map of the host's."""
    t = _TENSOR
    for other in (replace(t, swizzle=0), replace(t, swizzle=1, box=[16, 12]), replace(t, type="f16", nan=True), replace(t, steps=[1, 2])):
        yield _load(t, other, [56, 15], _whole(other), False, "every field")


def forms_of_zeros() -> Iterator[Form]:
    for made, at in (
        (Tensor("bf16", [72, 20], [64, 8], 3), [8, 5]), (Tensor("f32", [20, 9, 4], [8, 4, 2], 1), [16, -1, 3]), (Tensor("u8", [64, 9], [48, 8]), [16, 5]),
        (Tensor("u64", [12, 9], [2, 8]), [10, 5]), (Tensor("f16", [40, 9], [16, 8], nan=True), [32, 4]), (Tensor("u16", [1000], [64]), [976]),
        (Tensor("s32", [20, 9], [16, 8], 2), [8, 4]), (Tensor("s64", [8, 4, 3, 3, 2], [4, 2, 2, 1, 2], 1), [4, 3, 1, 2, 0]),
        (Tensor("f64", [20, 9], [8, 8], 2), [16, 3]), (Tensor("u32", [20, 9], [16, 8], steps=[1, 3]), [8, 1]),
    ):  # fmt: skip
        yield _load(_HOST, made, at, _whole(made), True, "of zeros")
