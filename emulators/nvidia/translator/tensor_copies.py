# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of tensors, bulk reductions and asynchronous stores: device/tensor_copy.hpp. What is neither goes on to memory.py."""

from __future__ import annotations

import re

from . import memory
from .arithmetic import type_of
from .body import Body
from .lexer import Instruction, Unknown, elements
from .types import BYTES

_REDUCTIONS = {"add": "add", "min": "min", "max": "max", "inc": "inc", "dec": "dec", "and": "bit_and", "or": "bit_or", "xor": "bit_xor"}
_TYPES = {
    "u32": "u32_", "s32": "s32_", "b32": "u32_", "u64": "u64_", "s64": "s64_", "b64": "u64_",
    "f16": "f16_", "bf16": "bf16_", "f32": "f32_", "f64": "f64_",
}  # fmt: skip


def _reduction(ins: Instruction) -> str:
    return "Reduction::" + next(_REDUCTIONS[m] for m in ins.modifiers if m in _REDUCTIONS)


def _type(ins: Instruction) -> str:
    return "TensorType::" + next(_TYPES[m] for m in reversed(ins.modifiers) if m in _TYPES)


def _shared(body: Body, operand: str) -> str:
    return f"static_cast<u32>({body.address(operand)})"


def _map(body: Body, operand: str) -> tuple[str, str]:
    """Of `[map, {x, y}]`: the map's address, and a definition of `at`."""
    inner = elements("{" + operand.strip()[1:-1] + "}")
    coordinates = [body.read(x, "s32") for x in elements(inner[1])]
    return body.read(inner[0], "u64"), f"const s32 at[] = {{{', '.join(coordinates)}}}; "


def _dimensions(ins: Instruction) -> int:
    return int(next(m for m in ins.modifiers if re.fullmatch(r"[1-5]d", m))[0])


def _tensor(body: Body, ins: Instruction) -> str:
    if ins.starting("im2col::"):
        raise Unknown("a tensor copy in mode im2col::w")
    if ins.has("prefetch"):
        return ";"
    o, count, rows = ins.operands, _dimensions(ins), ins.has("tile::gather4", "tile::scatter4")
    if next(m for m in ins.modifiers if m.startswith(("shared", "global"))).startswith("shared"):
        at, coordinates = _map(body, o[1])
        offsets = ""
        if ins.has("im2col"):  # stand behind the mbarrier
            coordinates += f"const u16 offsets[] = {{{', '.join(body.read(x, 'u16') for x in elements(o[3]))}}}; "
            offsets, o = ", offsets", o[:3] + o[4:]
        blocks = body.read(o[3], "u16") if ins.starting("multicast") else "0"
        pair = "true" if ins.has("cta_group::2") else "false"
        how = f"TensorLoad{{{count}, {'true' if rows else 'false'}, {blocks}, {pair}{offsets}}}"
        return f"{coordinates}tensor_load(t, {ins.line}, {how}, {at}, at, {_shared(body, o[0])}, {_shared(body, o[2])});"
    at, coordinates = _map(body, o[0])
    reduction = _reduction(ins) if ins.has("reduce") or ins.modifiers[0] == "reduce" else "Reduction::none"
    how = f"TensorStore{{{count}, {'true' if rows else 'false'}, {reduction}, {'true' if ins.has('im2col_no_offs') else 'false'}}}"
    return f"{coordinates}tensor_store(t, {ins.line}, {how}, {at}, at, {_shared(body, o[1])});"


def _bulk_reduce(body: Body, ins: Instruction) -> str:
    o, line = ins.operands, ins.line
    size, how = body.read(o[2], "u32"), f"{_type(ins)}, {_reduction(ins)}"
    if next(m for m in ins.modifiers if m.startswith(("shared", "global"))) == "global":
        return f"bulk_reduce_global(t, {line}, {body.address(o[0])}, {_shared(body, o[1])}, {size}, {how});"
    return f"bulk_reduce_shared(t, {line}, {_shared(body, o[0])}, {_shared(body, o[1])}, {size}, {_shared(body, o[3])}, {how});"


FIELDS = ("global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride", "elemtype", "interleave_layout",
           "swizzle_mode", "swizzle_atomicity", "fill_mode")  # fmt: skip
_MAP_BYTES, _MAP_ALIGN = 128, 64


def change_map(body: Body, ins: Instruction) -> str:
    """tensormap.replace, tensormap.cp_fenceproxy."""
    o, space = ins.operands, memory.space_of(ins)
    if ins.modifiers[0] == "cp_fenceproxy":
        if o[2] != str(_MAP_BYTES):
            raise Unknown(f"tensormap.cp_fenceproxy of {o[2]} bytes")
        text = f"const u8* const from = {body.pointer(ins, o[1], 'shared', _MAP_BYTES, _MAP_ALIGN)}; "
        return text + f"u8* const to = {body.pointer(ins, o[0], 'global', _MAP_BYTES, _MAP_ALIGN)}; copy_tensor_map(t, {ins.line}, to, from);"
    field = next(m for m in ins.modifiers if m in FIELDS)
    dimension = o[1] if len(o) == 3 else "0"
    text = f"u8* const at = {body.pointer(ins, o[0], space, _MAP_BYTES, _MAP_ALIGN)}; "
    text += body.touched(ins, space, "at", _MAP_BYTES, "reads") + body.touched(ins, space, "at", _MAP_BYTES, "writes")
    value = f"static_cast<u64>({body.read(o[-1], 'u64' if type_of(ins) == 'b64' else 'u32')})"
    return f"{text}replace_in_tensor_map(t, {ins.line}, at, TensorField::{field}, {dimension}, {value});"


def copy(body: Body, ins: Instruction) -> str:
    """cp: cp.async.bulk.tensor, cp.reduce.async.bulk; everything else is memory.copy."""
    if ins.has("tensor"):
        return _tensor(body, ins)
    if ins.modifiers[0] == "reduce":
        return _bulk_reduce(body, ins)
    return memory.copy(body, ins)


def _async_store(body: Body, ins: Instruction, reduction: str) -> str:
    if not ins.starting("mbarrier::complete_tx"):  # to global memory, with .release: as late or as soon as another store
        plain = memory.store if ins.opcode == "st" else memory.reduction
        return plain(body, ins)
    o, t = ins.operands, type_of(ins)
    values = elements(o[1])
    plain = {4: "u32", 8: "u64"}[BYTES[t]]
    listed = ", ".join(body.read(v, plain) for v in values)
    name = "TensorType::" + _TYPES[t]
    return (
        f"const {plain} values[] = {{{listed}}}; async_store(t, {ins.line}, {_shared(body, o[0])}, "
        f"reinterpret_cast<const u8*>(values), {len(values)}, {_shared(body, o[2])}, {name}, {reduction});"
    )


def store(body: Body, ins: Instruction) -> str:
    return _async_store(body, ins, "Reduction::none") if ins.has("async") else memory.store(body, ins)


def reduction(body: Body, ins: Instruction) -> str:
    return _async_store(body, ins, _reduction(ins)) if ins.has("async") else memory.reduction(body, ins)
