# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Comparisons, selections and conversions: device/floating.hpp, device/convert.hpp compute them."""

from __future__ import annotations

from .arithmetic import type_of
from .body import Body
from .lexer import Instruction, Unknown, elements
from .types import BYTES, FLOATS, INTEGERS, PAIRS

_COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_OF_INTEGERS = {"is_eq": "==", "is_ne": "!=", "is_lt": "<", "is_le": "<=", "is_gt": ">", "is_ge": ">="}
_BOOLEAN = {"and": "&", "or": "|", "xor": "^"}
_FORMATS = {"e4m3x2": ("e4m3", 8), "e5m2x2": ("e5m2", 8), "e2m3x2": ("e2m3", 8), "e3m2x2": ("e3m2", 8), "e2m1x2": ("e2m1", 4)}
_FOURS = {f"{name}x4": (name, bits) for name, bits in _FORMATS.values()}
_ROUNDINGS = {
    "rn": "nearest", "rz": "zero", "rm": "down", "rp": "up", "rna": "away",
    "rni": "nearest", "rzi": "zero", "rmi": "down", "rpi": "up",
}  # fmt: skip


def _comparison(ins: Instruction) -> str:
    name = _UNSIGNED.get(ins.modifiers[0], ins.modifiers[0])
    if name not in _COMPARISONS:
        raise Unknown(f"the comparison .{name}")
    return "is_" + name


def _compared(body: Body, ins: Instruction, ptx_type: str) -> str:
    a, b = body.read(ins.operands[1], ptx_type), body.read(ins.operands[2], ptx_type)
    if ins.has("ftz"):
        a, b = f"ftz({a})", f"ftz({b})"
    if ptx_type in INTEGERS and (operator := _OF_INTEGERS.get(_comparison(ins))):
        return f"({a} {operator} {b})"
    return f"{_comparison(ins)}({a}, {b})"


def _pairs(body: Body, ins: Instruction, ptx_type: str) -> str:
    """Both operands as a and b."""
    a, b = (body.read(o, ptx_type) for o in ins.operands[1:3])
    if ins.has("ftz"):
        a, b = f"ftz({a})", f"ftz({b})"
    return f"const {ptx_type} a = {a}, b = {b}; "


def _combined(body: Body, ins: Instruction, value: str) -> str:
    how = next((_BOOLEAN[m] for m in ins.modifiers[1:] if m in _BOOLEAN), None)
    return f"static_cast<bool>({value} {how} {body.read(ins.operands[3], 'pred')})" if how else value


def set_predicate(body: Body, ins: Instruction) -> str:
    t, targets = type_of(ins), ins.operands[0].split("|")
    if t in PAIRS:
        text = _pairs(body, ins, t)
        for target, part in zip(targets, "xy"):
            text += body.write(target, _combined(body, ins, f"{_comparison(ins)}(a.{part}, b.{part})"))
        return text
    if len(targets) == 1 and not ins.has(*_BOOLEAN):
        return body.write(targets[0], _compared(body, ins, t), "bool")
    text = f"const bool holds = {_compared(body, ins, t)}; "
    # The second one gets the opposite of the comparison, combined likewise; both are read before either is written.
    values = ["holds", "!holds"][: len(targets)]
    for i, value in enumerate(values):
        text += f"const bool p{i} = {_combined(body, ins, value)}; "
    return text + " ".join(body.write(target, f"p{i}") for i, target in enumerate(targets))


def set_value(body: Body, ins: Instruction) -> str:
    to, of = [m for m in ins.modifiers if m in BYTES]
    value = {"f32": "1.0f : 0.0f", "u32": "~0u : 0u", "s32": "~0u : 0u"}
    if of in PAIRS:
        one = "0x3c00" if of == "f16x2" else "0x3f80"
        whole = "0xffffu" if to in ("u32", "s32") else one + "u"
        compare = _comparison(ins)
        return _pairs(body, ins, of) + body.write(
            ins.operands[0], f"(({compare}(a.x, b.x) ? {whole} : 0u) | ({compare}(a.y, b.y) ? {whole} : 0u) << 16)"
        )
    condition = _combined(body, ins, _compared(body, ins, of))
    if to in ("f16", "bf16"):
        return body.write(ins.operands[0], f"{to}{{static_cast<u16>({condition} ? {'0x3c00' if to == 'f16' else '0x3f80'} : 0)}}")
    if to in ("u16", "s16"):
        return body.write(ins.operands[0], f"static_cast<u16>({condition} ? 0xffff : 0)")
    return body.write(ins.operands[0], f"({condition} ? {value[to]})")


def select(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a, b, p = body.read(ins.operands[1], t), body.read(ins.operands[2], t), body.read(ins.operands[3], "pred")
    return body.write(ins.operands[0], f"({p} ? {a} : {b})", t)


def select_by_sign(body: Body, ins: Instruction) -> str:
    t, of = [m for m in ins.modifiers if m in BYTES]
    a, b, c = body.read(ins.operands[1], t), body.read(ins.operands[2], t), body.read(ins.operands[3], of)
    c = f"ftz({c})" if ins.has("ftz") else c
    return body.write(ins.operands[0], f"({c} >= 0 ? {a} : {b})")


def move(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    return body.write(ins.operands[0], body.read(ins.operands[1], t), "bool" if t == "pred" else t)


def _rounding(ins: Instruction) -> str:
    return "Rounding::" + next((_ROUNDINGS[m] for m in ins.modifiers if m in _ROUNDINGS), "nearest")


def _to_format(body: Body, ins: Instruction, to: str, of: str) -> str:
    name, each = _FORMATS[to]
    relu = "true" if ins.has("relu") else "false"
    cast = "u8" if to == "e2m1x2" else "u16"
    if of == "f32":
        high, low = body.read(ins.operands[1], "f32"), body.read(ins.operands[2], "f32")
        return body.write(ins.operands[0], f"static_cast<{cast}>(packed({high}, {low}, {name}, {each}, Rounding::nearest, {relu}))")
    a = body.read(ins.operands[1], of)
    return f"const {of} a = {a}; " + body.write(
        ins.operands[0],
        f"static_cast<{cast}>(packed(float_of(a.y), float_of(a.x), {name}, {each}, Rounding::nearest, {relu}))",
    )


def _between_floats(body: Body, ins: Instruction, to: str, of: str) -> str:
    a, mode = body.read(ins.operands[1], of), _rounding(ins)
    # .ftz means f32 alone, as operand and as result (9.7.9.21). An H200 does not flush the operand of a conversion to f16, though
    # the ISA has it so, and that to f64 takes the NaN of the flush.
    if ins.has("ftz") and of == "f32" and to != "f16":
        a = f"canonical(ftz({a}))" if to == "f64" else f"ftz({a})"
    if ins.has("rni", "rzi", "rmi", "rpi"):
        value = f"to_float<{to}>(integral({a}, {mode}), Rounding::nearest)"
    elif ins.has("ftz") and to == "f32" and of == "f64":
        value = f"flushed_to_f32({a}, {mode})"
    else:
        value = f"to_float<{to}>({a}, {mode}{', true' if ins.has('satfinite') else ''})"
    if ins.has("relu"):
        value = f"relu({value})"
    if ins.has("sat"):
        value = f"sat({value})"
    return body.write(ins.operands[0], f"ftz({value})" if ins.has("ftz") and to == "f32" else value)


def _by_random_bits(body: Body, ins: Instruction, to: str, of: str) -> str:
    """cvt.rs: two numbers or, in braces, four; then the random bits."""
    random = body.read(ins.operands[-1], "u32")
    if of == "f32" and to in ("f16x2", "bf16x2"):
        a, b = (body.read(o, "f32") for o in ins.operands[1:3])
        value = f"pair_by<{to}>({a}, {b}, {random}, {'true' if ins.has('satfinite') else 'false'})"
        return body.write(ins.operands[0], f"relu({value})" if ins.has("relu") else value)
    if of != "f32" or to not in _FOURS or not ins.has("satfinite"):
        raise Unknown(f"a conversion by random bits from {of} to {to}")
    name, each = _FOURS[to]
    values = ", ".join(body.read(o, "f32") for o in elements(ins.operands[1]))
    value = f"packed_by({random}, {values}, {name}, {each}, {'true' if ins.has('relu') else 'false'})"
    return body.write(ins.operands[0], f"static_cast<{'u16' if each == 4 else 'u32'}>({value})")


def convert(body: Body, ins: Instruction) -> str:
    if ins.has("pack"):
        return _pack(body, ins)
    to, of = [m for m in ins.modifiers if m in BYTES][-2:]
    if ins.has("rs"):
        return _by_random_bits(body, ins, to, of)
    if to in PAIRS and of == "f32":
        element = PAIRS[to]
        high, low = (f"to_float<{element}>({body.read(o, 'f32')}, {_rounding(ins)}{', true' if ins.has('satfinite') else ''})"
                     for o in ins.operands[1:3])  # fmt: skip
        value = f"pair_of<{to}>({high}, {low})"
        return body.write(ins.operands[0], f"relu({value})" if ins.has("relu") else value)
    if to in _FORMATS:
        return _to_format(body, ins, to, of)
    if of in _FORMATS and to in PAIRS:
        name, each = _FORMATS[of]
        value = f"unpacked<{to}>({body.read(ins.operands[1], 'u16')}, {name}, {each})"
        return body.write(ins.operands[0], f"relu({value})" if ins.has("relu") else value)
    if to == "ue8m0x2" and of == "f32":
        high, low = body.read(ins.operands[1], "f32"), body.read(ins.operands[2], "f32")
        return body.write(ins.operands[0], f"static_cast<u16>(packed_ue8m0({high}, {low}, {_rounding(ins)}))")
    if to == "ue8m0x2" and of == "bf16x2":
        a = body.read(ins.operands[1], "bf16x2")
        return f"const bf16x2 a = {a}; " + body.write(
            ins.operands[0], f"static_cast<u16>(packed_ue8m0(float_of(a.y), float_of(a.x), {_rounding(ins)}))"
        )
    if to == "bf16x2" and of == "ue8m0x2":
        code = body.read(ins.operands[1], "u16")
        return f"const u32 code = {code}; " + body.write(
            ins.operands[0], "bf16x2{power_of_two(code & 255), power_of_two(code >> 8)}"
        )
    if to == "tf32":
        a = body.read(ins.operands[1], "f32")
        value = f"tf32_of({f'relu({a})' if ins.has('relu') else a}, {_rounding(ins)}{', true' if ins.has('satfinite') else ''})"
        return body.write(ins.operands[0], value)
    if to in FLOATS and of in FLOATS:
        return _between_floats(body, ins, to, of)
    if to in FLOATS and of in INTEGERS:
        value = f"from_integer<{to}>({body.read(ins.operands[1], of)}, {_rounding(ins)})"
        return body.write(ins.operands[0], f"sat({value})" if ins.has("sat") else value)
    if to in INTEGERS and of in FLOATS:
        a = body.read(ins.operands[1], of)
        return body.write(ins.operands[0], f"to_integer<{to}>({f'ftz({a})' if ins.has('ftz') else a}, {_rounding(ins)})")
    if to in INTEGERS and of in INTEGERS:
        a = body.read(ins.operands[1], of)
        return body.write(ins.operands[0], f"saturated<{to}>({a})" if ins.has("sat") else f"static_cast<{to}>({a})", to)
    raise Unknown(f"a conversion from {of} to {to}")


def _pack(body: Body, ins: Instruction) -> str:
    """cvt.pack.sat: two saturated integers, and what was there before above them."""
    to, of = [m for m in ins.modifiers if m in BYTES][:2]
    width = 8 * BYTES[to]
    a, b = body.read(ins.operands[1], of), body.read(ins.operands[2], of)
    unsigned = f"u{width}"
    above = f" | {body.read(ins.operands[3], 'u32')} << {2 * width}" if len(ins.operands) > 3 else ""
    one = "static_cast<u32>(static_cast<{u}>(saturated<{t}>({v})))"
    high, low = one.format(u=unsigned, t=to, v=a), one.format(u=unsigned, t=to, v=b)
    return body.write(ins.operands[0], f"({high} << {width} | {low}{above})")

