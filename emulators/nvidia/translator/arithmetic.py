# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of integers and floating-point numbers: device/integer.hpp, device/floating.hpp compute it."""

from __future__ import annotations

import re

from .body import Body
from .lexer import Instruction, Unknown
from .types import BYTES, INTEGERS, bits, signed, unsigned, wide

_ROUNDINGS = {"rn": "nearest", "rz": "zero", "rm": "down", "rp": "up"}
_INEXACT = ("mul", "fma", "div", "rcp")  # of which a result below the normal numbers may be rounded


def type_of(ins: Instruction) -> str:
    """The last of its types."""
    for modifier in reversed(ins.modifiers):
        if modifier in BYTES:
            return modifier
    raise Unknown("an instruction without a type")


def rounding_of(ins: Instruction) -> str:
    return next((_ROUNDINGS[m] for m in ins.modifiers if m in _ROUNDINGS), "nearest")


def finished(ins: Instruction, ptx_type: str, value: str) -> str:
    """With what modifiers do to a result."""
    if ins.has("sat") and ptx_type not in INTEGERS:
        value = f"sat({value})"
    if ins.has("relu"):
        value = f"relu({value})"
    return f"ftz({value})" if ins.has("ftz") else value


def operands(body: Body, ins: Instruction, ptx_type: str) -> list[str]:
    values = [body.read(o, ptx_type) for o in ins.operands[1:]]
    return [f"ftz({v})" for v in values] if ins.has("ftz") else values


def _rounded(operation: str, ins: Instruction, ptx_type: str, values: list[str]) -> str:
    if ptx_type not in ("f32", "f64", "f32x2"):
        raise Unknown(f".{ptx_type} with a rounding other than to nearest")
    mode = f"Rounding::{rounding_of(ins)}"
    if ptx_type == "f32x2":
        names = ["a", "b", "c"][: len(values)]
        lists = [", ".join([f"{n}.{part}" for n in names] + ["0.0f"] * (3 - len(names))) for part in "xy"]
        return (
            "[&] { const f32x2 " + ", ".join(f"{n} = {v}" for n, v in zip(names, values)) + "; return f32x2{"
            + ", ".join(f"rounded(Operation::{operation}, {mode}, {part})" for part in lists) + "}; }()"
        )  # fmt: skip
    zero = f"{ptx_type}{{0}}"
    return f"rounded(Operation::{operation}, {mode}, {', '.join(values + [zero] * (3 - len(values)))})"


def _flushed(operation: str, ins: Instruction, ptx_type: str, values: list[str]) -> str:
    arguments = ", ".join(values + [f"{ptx_type}{{}}"] * (3 - len(values)))
    return f"flushed(Operation::{operation}, Rounding::{rounding_of(ins)}, {arguments})"


def arithmetic(operation: str):
    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        if ins.has("cc"):
            call, carry = ("add_carry", 0) if operation == "add" else ("sub_carry", 1)
            a, b = (body.read(o, t) for o in ins.operands[1:])
            return body.write(ins.operands[0], f"{call}<{t}>({a}, {b}, {carry}, t->carry)")
        if ins.has("f32") and ins.has("f16", "bf16"):
            return _mixed(body, ins, operation)
        if simple := _wrapped(body, ins, t, {"add": "+", "sub": "-"}.get(operation, "")):
            return simple
        values = operands(body, ins, t)
        if ins.has("oob"):
            return body.write(ins.operands[0], finished(ins, t, f"fma_oob({', '.join(values)})"))
        if t in INTEGERS and ins.has("sat"):
            sign = {"add": "+", "sub": "-"}[operation]
            return body.write(ins.operands[0], f"saturated<{t}>(static_cast<s64>({values[0]}) {sign} {values[1]})")
        if ins.has("ftz") and operation in _INEXACT:
            value = _flushed(operation, ins, t, values)
        elif rounding_of(ins) != "nearest":
            value = _rounded(operation, ins, t, values)
        else:
            value = f"{operation}<{t}>({', '.join(values)})" if t in INTEGERS else f"{operation}({', '.join(values)})"
        return body.write(ins.operands[0], finished(ins, t, value), t)

    return translate


def _wrapped(body: Body, ins: Instruction, ptx_type: str, *operators: str) -> str:
    """Of integers whose sign does not matter, C++'s own operators between the operands: what most instructions are, in the least
    words. Nothing where that does not hold."""
    size = BYTES[ptx_type]
    if ptx_type not in INTEGERS or size not in (4, 8) or "" in operators or ins.has("sat") or not body.has_size(ins.operands[0], size):
        return ""
    first, *others = (body.read(o, unsigned(size)) for o in ins.operands[1:])
    text = "".join(f" {operator} {value}" for operator, value in zip(operators, others))
    return body.write(ins.operands[0], first + text, unsigned(size))


def _mixed(body: Body, ins: Instruction, operation: str) -> str:
    """add, sub, fma of f32 with narrow operands, as in sub.rn.f32.bf16 (9.7.5): all but the last are narrow, exactly widened."""
    narrow = "f16" if ins.has("f16") else "bf16"
    values = [f"float_of({body.read(o, narrow)})" for o in ins.operands[1:-1]] + [body.read(ins.operands[-1], "f32")]
    if ins.has("ftz") and operation in _INEXACT:
        value = _flushed(operation, ins, "f32", values)
    elif rounding_of(ins) != "nearest":
        value = _rounded(operation, ins, "f32", values)
    else:
        value = f"{operation}({', '.join(values)})"
    return body.write(ins.operands[0], finished(ins, "f32", value))


def with_carry(call: str):
    """addc, subc."""

    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        a, b = (body.read(o, t) for o in ins.operands[1:])
        out = "t->carry" if ins.has("cc") else "unused"
        return f"u32 unused = 0; static_cast<void>(unused); const u32 carry = t->carry; " + body.write(
            ins.operands[0], f"{call}<{t}>({a}, {b}, carry, {out})"
        )

    return translate


def multiply(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    if t not in INTEGERS:
        return arithmetic("mul")(body, ins)
    if not ins.has("wide", "hi") and (simple := _wrapped(body, ins, t, "*")):
        return simple
    a, b = (body.read(o, t) for o in ins.operands[1:])
    call = "mul_wide" if ins.has("wide") else "mul_hi" if ins.has("hi") else "mul"
    return body.write(ins.operands[0], f"{call}<{t}>({a}, {b})", wide(t) if ins.has("wide") else t)


def multiply_add(body: Body, ins: Instruction) -> str:
    """mad, madc."""
    t = type_of(ins)
    if t not in INTEGERS:
        return arithmetic("fma")(body, ins)
    if not ins.has("wide", "hi", "cc") and ins.opcode == "mad" and (simple := _wrapped(body, ins, t, "*", "+")):
        return simple
    a, b = (body.read(o, t) for o in ins.operands[1:3])
    of_sum = wide(t) if ins.has("wide") else t
    c = body.read(ins.operands[3], of_sum)
    product = f"{'mul_wide' if ins.has('wide') else 'mul_hi' if ins.has('hi') else 'mul'}<{t}>({a}, {b})"
    if ins.has("cc") or ins.opcode == "madc":
        before = "t->carry" if ins.opcode == "madc" else "0"
        out = "t->carry" if ins.has("cc") else "unused"
        return f"u32 unused = 0; static_cast<void>(unused); const u32 carry = {before}; " + body.write(
            ins.operands[0], f"add_carry<{of_sum}>({product}, {c}, carry, {out})"
        )
    if ins.has("sat"):
        return body.write(ins.operands[0], f"saturated<{t}>(static_cast<s64>({product}) + {c})")
    return body.write(ins.operands[0], f"add<{of_sum}>({product}, {c})", of_sum)


def multiply24(body: Body, ins: Instruction) -> str:
    """mul24, mad24."""
    t = type_of(ins)
    a, b = (body.read(o, t) for o in ins.operands[1:3])
    value = f"mul24_{'hi' if ins.has('hi') else 'lo'}<{t}>({a}, {b})"
    if ins.opcode == "mad24":
        c = body.read(ins.operands[3], t)
        value = f"saturated<{t}>(static_cast<s64>({value}) + {c})" if ins.has("sat") else f"add<{t}>({value}, {c})"
    return body.write(ins.operands[0], value)


def divide(body: Body, ins: Instruction) -> str:
    if ins.has("approx"):
        a, b = operands(body, ins, "f32")
        return body.write(ins.operands[0], finished(ins, "f32", f"approximate_div({a}, {b})"))
    return arithmetic("div")(body, ins)


def remainder(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a, b = (body.read(o, t) for o in ins.operands[1:])
    return body.write(ins.operands[0], f"rem<{t}>({a}, {b})")


def extreme(name: str):
    """min, max; of three operands too."""

    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        values = operands(body, ins, t)
        call = f"{name}_nan" if ins.has("NaN") else name
        call += f"<{t}>" if t in INTEGERS else ""
        compared = [f"abs({v})" for v in values] if ins.has("abs") else values
        value = compared[0]
        for other in compared[1:]:
            value = f"{call}({value}, {other})"
        if ins.has("xorsign"):
            if len(values) != 2:
                raise Unknown("xorsign of three operands")
            value = f"xorsign({values[0]}, {values[1]}, {value})"
        return body.write(ins.operands[0], finished(ins, t, value))

    return translate


def unary(call: str):
    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        value = operands(body, ins, t)[0]
        return body.write(ins.operands[0], finished(ins, t, f"{call}<{t}>({value})" if t in INTEGERS else f"{call}({value})"))

    return translate


def root_like(call: str, operation: str | None):
    """sqrt, rcp, rsqrt: correctly rounded, or approximate."""

    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        value = operands(body, ins, t)[0]
        if operation in _INEXACT and ins.has("ftz") and not ins.has("approx"):
            result = _flushed(operation, ins, t, [value])
        elif rounding_of(ins) != "nearest" and operation:
            result = f"rounded(Operation::{operation}, Rounding::{rounding_of(ins)}, {value}, {t}{{0}}, {t}{{0}})"
        else:
            result = f"{call}({value})"
        if t == "f64" and ins.has("ftz"):
            return body.write(ins.operands[0], f"of_upper_half({value}, [](f64 a) {{ return {call}(a); }})")
        return body.write(ins.operands[0], finished(ins, t, result))

    return translate


def copysign(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a, b = (body.read(o, t) for o in ins.operands[1:])
    return body.write(ins.operands[0], f"copysign({a}, {b})")


def test_property(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    return body.write(ins.operands[0], f"test_{ins.modifiers[0]}({body.read(ins.operands[1], t)})")


def extract(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a, at, length = body.read(ins.operands[1], t), body.read(ins.operands[2], "u32"), body.read(ins.operands[3], "u32")
    return body.write(ins.operands[0], f"bfe<{t}>({a}, {at}, {length})")


def insert(body: Body, ins: Instruction) -> str:
    t = {"b32": "u32", "b64": "u64"}[type_of(ins)]
    a, b = (body.read(o, t) for o in ins.operands[1:3])
    at, length = (body.read(o, "u32") for o in ins.operands[3:5])
    return body.write(ins.operands[0], f"bfi<{t}>({a}, {b}, {at}, {length})")


def extend(body: Body, ins: Instruction) -> str:
    """szext"""
    t = type_of(ins)
    length = body.read(ins.operands[2], "u32")
    return body.write(ins.operands[0], f"szext<{t}>({body.read(ins.operands[1], t)}, {f'({length} & 31)' if ins.has('wrap') else length})")


def find(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    call = "bfind_shift" if ins.has("shiftamt") else "bfind"
    return body.write(ins.operands[0], f"{call}<{t}>({body.read(ins.operands[1], t)})")


def find_nth(body: Body, ins: Instruction) -> str:
    mask, base, offset = body.read(ins.operands[1], "u32"), body.read(ins.operands[2], "u32"), body.read(ins.operands[3], "s32")
    return body.write(ins.operands[0], f"fns({mask}, {base}, {offset})")


def mask(body: Body, ins: Instruction) -> str:
    """bmsk: ones from a bit on."""
    at, length = (body.read(o, "u32") for o in ins.operands[1:])
    if ins.has("wrap"):
        at, length = f"({at} & 31)", f"({length} & 31)"
    return f"const u32 at = {at}, length = {length}; " + body.write(
        ins.operands[0], "shl<u32>(length >= 32 ? ~0u : (1u << length) - 1, at)"
    )


def dot(count: int):
    def translate(body: Body, ins: Instruction) -> str:
        types = [m for m in ins.modifiers if m in BYTES]
        a, b, c = (body.read(o, "u32") for o in ins.operands[1:])
        flags = ", ".join("true" if signed(t) else "false" for t in types)
        half = ", true" if ins.has("hi") else ", false" if count == 2 else ""
        return body.write(ins.operands[0], f"dp{count}a<{flags}>({a}, {b}, {c}{half})")

    return translate


def absolute_difference(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a, b, c = (body.read(o, t) for o in ins.operands[1:])
    return body.write(ins.operands[0], f"sad<{t}>({a}, {b}, {c})")


def logic(operator: str):
    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        if simple := _wrapped(body, ins, t, operator):
            return simple
        a, b = (body.read(o, t) for o in ins.operands[1:])
        cpp = "bool" if t == "pred" else t
        return body.write(ins.operands[0], f"static_cast<{cpp}>({a} {operator} {b})", cpp)

    return translate


def negate_bits(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    a = body.read(ins.operands[1], t)
    return body.write(ins.operands[0], f"!{a}" if t == "pred" else f"static_cast<{t}>(~{a})")


def is_zero(body: Body, ins: Instruction) -> str:
    t = type_of(ins)
    return body.write(ins.operands[0], f"static_cast<{t}>({body.read(ins.operands[1], t)} == 0)")


def truth_table(body: Body, ins: Instruction) -> str:
    a, b, c = (body.read(o, "u32") for o in ins.operands[1:4])
    value = f"lop3({a}, {b}, {c}, {ins.operands[4]})"
    if not ins.has("and", "or"):
        return body.write(ins.operands[0], value)
    target, predicate = ins.operands[0].split("|")
    q = body.read(ins.operands[5], "pred")
    text = f"const u32 value = {value}; const bool q = {q}; " + body.write(target, "value")
    return text + " " + body.write(predicate, f"static_cast<bool>((value != 0) {'&' if ins.has('and') else '|'} q)")


def shift(call: str):
    def translate(body: Body, ins: Instruction) -> str:
        t = type_of(ins)
        t = "u" + t[1:] if t.startswith("b") else t
        if re.fullmatch(r"\d+", ins.operands[2]) and int(ins.operands[2]) < bits(t) and bits(t) >= 32:
            operator = "<<" if call == "shl" else ">>"
            return body.write(ins.operands[0], f"{body.read(ins.operands[1], t)} {operator} {ins.operands[2]}", t)
        return body.write(ins.operands[0], f"{call}<{t}>({body.read(ins.operands[1], t)}, {body.read(ins.operands[2], 'u32')})")

    return translate


def funnel_shift(body: Body, ins: Instruction) -> str:
    a, b, by = (body.read(o, "u32") for o in ins.operands[1:])
    by = f"({by} & 31)" if ins.has("wrap") else f"min<u32>({by}, 32)"
    return body.write(ins.operands[0], f"shf_{ins.modifiers[0]}({a}, {b}, {by})")


def permute(body: Body, ins: Instruction) -> str:
    a, b, selector = (body.read(o, "u32") for o in ins.operands[1:])
    mode = next((m for m in ins.modifiers if m != "b32"), None)
    return body.write(ins.operands[0], f"prmt({a}, {b}, {selector}{f', Permute::{mode}' if mode else ''})")


def count_bits(call: str):
    def translate(body: Body, ins: Instruction) -> str:
        t = {32: "u32", 64: "u64"}[bits(type_of(ins))]
        return body.write(ins.operands[0], f"{call}<{t}>({body.read(ins.operands[1], t)})")

    return translate
