# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""wmma.load, wmma.mma, wmma.store, which nvcuda::wmma is made of: device/wmma.hpp."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .arithmetic import rounding_of
from .body import Body
from .lexer import Instruction, Unknown, elements
from .memory import space_of
from .types import signed

_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
_LARGE = ("m16n16k16", "m32n8k16", "m8n32k16")
_TRANSPOSED = "m8n32k16"  # done as m32n8k16
# Of A and B, by their type: the shapes, and the types of C and D.
_PRODUCTS = {
    "f16": (_LARGE, ("f16", "f32")), "bf16": (_LARGE, ("f32",)), "s8": (_LARGE, ("s32",)), "u8": (_LARGE, ("s32",)),
    "tf32": (("m16n16k8",), ("f32",)), "f64": (("m8n8k4",), ("f64",)),
    "s4": (("m8n8k32",), ("s32",)), "u4": (("m8n8k32",), ("s32",)), "b1": (("m8n8k128",), ("s32",)),
}  # fmt: skip


@dataclass(frozen=True)
class _Matrix:
    role: str  # a, b, c, d
    type: str
    m: int
    n: int
    k: int

    @property
    def sum(self) -> bool:
        return self.role in "cd"

    @property
    def sides(self) -> tuple[int, int]:
        """m or n and k; of sums m and n."""
        return (self.m, self.n) if self.sum else (self.m if self.role == "a" else self.n, self.k)

    @property
    def registers(self) -> int:
        """Of a lane: 32 bits each, or 64. A and B of f16 have 8 whatever the shape."""
        bits = _BITS[self.type]
        return 8 if self.type == "f16" and not self.sum else self.sides[0] * self.sides[1] * bits // 32 // max(bits, 32)

    @property
    def register(self) -> str:
        return "f64" if self.type == "f64" else "u32"


def _shape(ins: Instruction) -> tuple[str, tuple[int, ...]]:
    shape = next((m for m in ins.modifiers if re.fullmatch(r"m\d+n\d+k\d+", m)), "")
    return shape, tuple(int(x) for x in re.findall(r"\d+", shape))


def _listed(matrix: _Matrix, operand: str) -> list[str]:
    found = elements(operand)
    if len(found) != matrix.registers:
        raise Unknown(f"wmma with {len(found)} registers for {matrix.role.upper()}, expected {matrix.registers}")
    return found


def _move(body: Body, ins: Instruction, role: str, registers: str, address: str, stride: list[str]) -> tuple[_Matrix, list[str], str]:
    """Of a load or store: the matrix, its registers, and the arguments of the device's function but the last."""
    shape, sides = _shape(ins)
    types = [m for m in ins.modifiers if m in _BITS]
    row = ins.has("row")
    known = [t for t, (shapes, sums) in _PRODUCTS.items() if shape in shapes and types in ([[t]] if role in "ab" else [[s] for s in sums])]
    if not known or row == ins.has("col"):
        raise Unknown("wmma of this shape, type or layout")
    matrix = _Matrix(role, types[0], *sides)
    outer, inner = matrix.sides
    adjacent = row != (role == "b")  # along the inner side
    part = "sum" if matrix.sum else role
    if shape == _TRANSPOSED and matrix.sum:
        outer, inner, adjacent = inner, outer, not adjacent
    elif shape == _TRANSPOSED:
        part = "b" if role == "a" else "a"
    bits = _BITS[matrix.type]
    if bits < 8 and not adjacent:
        raise Unknown("wmma of this shape, type or layout")
    apart = f"static_cast<u32>({body.address(f'[{stride[0]}]')})" if stride else f"{inner if adjacent else outer}u"
    space = space_of(ins) or "generic"
    at = body.address(address)
    site = "0" if space == "shared" else str(body.site())
    words = 32 // bits if bits < 8 else 1
    how = f"Fragment{{Part::{part}, {outer}, {inner // words}, {bits * words // 8}, {matrix.registers}, {'true' if adjacent else 'false'}}}"
    where = f"FragmentPlace{{Space::{space}, {site}, static_cast<u64>({at}), u64{{{apart}}} * {bits} / 8}}"
    return matrix, _listed(matrix, registers), f"t, {ins.line}, {how}, {where}"


def _load(body: Body, ins: Instruction) -> str:
    role = next(m for m in ins.modifiers if m in ("a", "b", "c"))
    matrix, targets, arguments = _move(body, ins, role, ins.operands[0], ins.operands[1], ins.operands[2:])
    text = f"{matrix.register} out[{len(targets)}]; load_fragment({arguments}, out); "
    return text + " ".join(body.write(target, f"out[{i}]") for i, target in enumerate(targets))


def _store(body: Body, ins: Instruction) -> str:
    if not ins.has("d"):
        raise Unknown("this form of wmma")
    matrix, values, arguments = _move(body, ins, "d", ins.operands[1], ins.operands[0], ins.operands[2:])
    listed = ", ".join(body.read(v, matrix.register) for v in values)
    return f"const {matrix.register} in[] = {{{listed}}}; store_fragment({arguments}, in);"


def _multiply(body: Body, ins: Instruction) -> str:
    shape, (m, n, k) = _shape(ins)
    types = [x for x in ins.modifiers if x in _BITS]
    d, a, b, c = types if len(types) == 4 else (types[0], "f16", "f16", types[1])
    shapes, sums = _PRODUCTS[a]
    integer, rounded = a[0] in "sub" and sums == ("s32",), ins.has("rn", "rz", "rm", "rp")
    if shape not in shapes or a != b or not {c, d}.issubset(sums) or (ins.has("satfinite") and a not in ("s8", "u8", "s4", "u4")):
        raise Unknown("wmma of this shape, type or layout")
    if rounded and a != "f64" or (a == "b1") != ins.has("popc") or (a != "b1" and ins.has("xor", "and")):
        raise Unknown("this form of wmma")
    matrices = [_Matrix(role, t, m, n, k) for role, t in zip("dabc", (d, a, b, c))]
    registers = [_listed(matrix, operand) for matrix, operand in zip(matrices, ins.operands)]
    text = ""
    for matrix, listed in zip(matrices[1:], registers[1:]):
        text += f"const {matrix.register} {matrix.role}[] = {{{', '.join(body.read(x, matrix.register) for x in listed)}}}; "
    text += f"{matrices[0].register} d[{len(registers[0])}]; "
    factors = "a, b"
    if shape == _TRANSPOSED:
        m, n, factors = n, m, "b, a"
    if a == "f64":
        how = f"Mma{{{m}, {n}, {k}, Element::f64, Element::f64, Element::f64}}"
        mode = rounding_of(ins) if rounded else "nearest"
        text += f'multiply_f64(t, {ins.line}, {how}, a, b, c, d, Rounding::{mode}, "wmma.mma"); '
    elif integer:
        flags = ", ".join("true" if x else "false" for x in (signed(a), signed(b), ins.has("satfinite")))
        product = "none" if a != "b1" else "both" if ins.has("and") else "exclusive"
        how = f"MmaIntegers{{{m}, {k}, {_BITS[a]}, {flags}, BitProduct::{product}}}"
        text += f"multiply_integer_fragments(t, {ins.line}, {how}, {n}, {factors}, c, d); "
    else:
        how = f"Wmma{{{m}, {n}, {k}, Element::{a}, Element::{c}, Element::{d}}}"
        text += f"multiply_fragments(t, {ins.line}, {how}, {factors}, c, d); "
    return text + " ".join(body.write(target, f"d[{i}]") for i, target in enumerate(registers[0]))


def translate(body: Body, ins: Instruction) -> str:
    kinds = {"load": _load, "store": _store, "mma": _multiply}
    if ins.modifiers[0] not in kinds:
        raise Unknown("this form of wmma")
    return kinds[ins.modifiers[0]](body, ins)
