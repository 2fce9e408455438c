# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""tcgen05, the tensor cores of Blackwell and their memory: device/tcgen05.hpp."""

from __future__ import annotations

from collections.abc import Callable

from .body import Body
from .lexer import Instruction, Unknown, elements

_SHAPES = {
    "32x32b": "lanes32_bits32",
    "16x64b": "lanes16_bits64",
    "16x128b": "lanes16_bits128",
    "16x256b": "lanes16_bits256",
    "16x32bx2": "lanes16_bits32_twice",
}
_KINDS = ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4")
# Scale factors of a row, where the instruction does not say.
_SCALES = {"mxf8f6f4": 1, "mxf4": 2}
_NAMED_SCALES = {"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4}
_BLOCKS = {("mxf8f6f4", "block32"): 1, ("mxf4", "block32"): 2, ("mxf4nvf4", "block32"): 2, ("mxf4nvf4", "block16"): 4}
# Lanes, bytes of a lane, step between lanes.
_COPIES = {"128x256b": (128, 32, 1), "4x256b": (4, 32, 32), "128x128b": (128, 16, 1), "64x128b": (64, 16, 1), "32x128b": (32, 16, 1)}
# Copies, the step between them, and what lanes from 32 on are further.
_MULTICASTS = {"warpx2::02_13": (2, 64, 0), "warpx2::01_23": (2, 32, 32), "warpx4": (4, 32, 0)}


def _group(ins: Instruction) -> int:
    return 2 if ins.has("cta_group::2") else 1


def _column(body: Body, operand: str) -> str:
    return f"static_cast<u32>({body.address(operand)})"


def _alloc(body: Body, ins: Instruction) -> str:
    o = ins.operands
    return f"tensor_alloc(t, {ins.line}, {_group(ins)}, {body.shared_address(ins, o[0])}, {body.read(o[1], 'u32')});"


def _dealloc(body: Body, ins: Instruction) -> str:
    return f"tensor_dealloc(t, {ins.line}, {_group(ins)}, {body.read(ins.operands[0], 'u32')}, {body.read(ins.operands[1], 'u32')});"


def _relinquish(body: Body, ins: Instruction) -> str:
    return f"tensor_relinquish(t, {ins.line}, {_group(ins)});"


def _access(ins: Instruction, count: int, second: str) -> str:
    shape = next(m for m in ins.modifiers if m in _SHAPES)
    halves = "true" if ins.has("pack::16b", "unpack::16b") else "false"
    return f"TensorAccess{{TensorShape::{_SHAPES[shape]}, {count}, {halves}, {second}}}"


def _load(body: Body, ins: Instruction) -> str:
    """.ld.red has a register more, behind those that are loaded: the least or the greatest of them."""
    o = list(ins.operands)
    reduced = o.pop(1) if ins.has("red") else None
    targets = elements(o[0])
    how = _access(ins, len(targets), body.read(o[2], "u32") if len(o) > 2 else "0")
    text = f"u32 out[{len(targets)}]; const u32 load_number = tensor_load_registers(t, {ins.line}, {how}, {_column(body, o[1])}, out); "
    text += " ".join(body.write(target, f"out[{i}]") for i, target in enumerate(targets))
    return text + _reduced(body, ins, reduced, len(targets)) if reduced else text


def _reduced(body: Body, ins: Instruction, target: str, count: int) -> str:
    t, floats = ins.modifiers[-1], ins.has("f32")
    if t not in ("u32", "s32", "f32") or not ins.has("32x32b", "16x32bx2") or ins.has("min") == ins.has("max") or count < 2:
        raise Unknown("this form of tcgen05.ld.red")
    if ins.has("pack::16b") or (ins.has("abs", "NaN") and not floats):
        raise Unknown("this form of tcgen05.ld.red")
    flags = ", ".join("true" if ins.has(m) else "false" for m in ("min", "abs", "NaN"))
    value = f"tensor_reduced(TensorReduction{{TensorReduction::Type::{t}_, {flags}}}, out, {count})"
    return " " + body.write(target, value)


def _store(body: Body, ins: Instruction) -> str:
    o = ins.operands
    values = elements(o[-1])
    how = _access(ins, len(values), body.read(o[1], "u32") if len(o) > 2 else "0")
    registers = ", ".join(body.read(v, "u32") for v in values)
    return f"u32 in[] = {{{registers}}}; tensor_store_registers(t, {ins.line}, {how}, {_column(body, o[0])}, in);"


def _wait(body: Body, ins: Instruction) -> str:
    return f"tensor_wait(t, {ins.line}, {'true' if ins.starting('wait::st') else 'false'});"


def _nothing(body: Body, ins: Instruction) -> str:
    """Order between threads is always there."""
    return ";"


def _commit(body: Body, ins: Instruction) -> str:
    blocks = body.read(ins.operands[1], "u16") if ins.starting("multicast") else "0"
    return f"tensor_commit(t, {ins.line}, {_group(ins)}, {body.shared_address(ins, ins.operands[0])}, {blocks});"


def _copy(body: Body, ins: Instruction) -> str:
    lanes, size, step = next(_COPIES[m] for m in ins.modifiers if m in _COPIES)
    copies, copy_step, fold = next((_MULTICASTS[m] for m in ins.modifiers if m in _MULTICASTS), (1, 0, 0))
    bits = 4 if ins.has("b4x16_p64") else 6 if ins.has("b6x16_p32") else 0
    how = f"TensorCopy{{{_group(ins)}, {lanes}, {size}, {step}, {copies}, {copy_step}, {fold}, {bits}}}"
    return f"tensor_copy_shared(t, {ins.line}, {how}, {_column(body, ins.operands[0])}, {body.read(ins.operands[1], 'u64')});"


def _scales(ins: Instruction, kind: str) -> int:
    named = [_NAMED_SCALES[m] for m in ins.modifiers if m in _NAMED_SCALES] + [
        _BLOCKS[kind, m] for m in ins.modifiers if (kind, m) in _BLOCKS
    ]
    return named[0] if named else _SCALES[kind]


def _multiply(body: Body, ins: Instruction) -> str:
    sparse = ins.has("sp")
    if ins.has("ashift"):
        raise Unknown("a tcgen05.mma that shifts A")
    kind = next(m for m in ins.modifiers if m.startswith("kind::"))[len("kind::") :]
    if kind not in _KINDS:
        raise Unknown(f"the kind {kind}")
    o, separate = list(ins.operands), ins.has("ws")
    metadata = _column(body, o.pop(3)) if sparse else "0"
    rest = o[4:]
    in_memory = o[1].startswith("[")
    a = _column(body, o[1]) if in_memory else body.read(o[1], "u64")
    scales, factors = 0, "0, 0"
    if ins.has("block_scale"):
        scales, factors = _scales(ins, kind), f"{_column(body, rest[0])}, {_column(body, rest[1])}"
        rest = rest[2:]
    text, masks = "", []
    if rest[0].startswith("{"):
        masks = [body.read(m, "u32") for m in elements(rest[0])]
        text = f"const u32 disabled[] = {{{', '.join(masks)}}}; "
        rest = rest[1:]
    masked = separate and len(rest) > 1
    column_mask = body.read(rest[1], "u64") if masked else "0"
    divided = body.read(rest[1], "u32") if len(rest) > 1 and not masked else "0"
    flags = ", ".join("true" if flag else "false" for flag in (separate, in_memory, sparse, masked))
    how = f"TensorProduct{{TensorKind::{kind}, {_group(ins)}, {flags}, {scales}, {len(masks)}, static_cast<s32>({divided})}}"
    operands = (
        f"TensorOperands{{{_column(body, o[0])}, {a}, {body.read(o[2], 'u64')}, {body.read(o[3], 'u32')}, "
        f"{body.read(rest[0], 'pred')}, {factors}, {metadata}, {'disabled' if masks else 'nullptr'}, {column_mask}}}"
    )
    return f"{text}tensor_multiply(t, {ins.line}, {how}, {operands});"


_FORMS: dict[str, Callable[[Body, Instruction], str]] = {
    "alloc": _alloc,
    "dealloc": _dealloc,
    "relinquish_alloc_permit": _relinquish,
    "ld": _load,
    "st": _store,
    "wait::ld": _wait,
    "wait::st": _wait,
    "fence::before_thread_sync": _nothing,
    "fence::after_thread_sync": _nothing,
    "commit": _commit,
    "cp": _copy,
    "mma": _multiply,
}


def tcgen05(body: Body, ins: Instruction) -> str:
    form = _FORMS.get(ins.modifiers[0])
    if not form:
        raise Unknown(f"tcgen05.{ins.modifiers[0]}")
    return form(body, ins)
