# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mma.m8n8k4 of f16 (PTX ISA 9.7.14.5.1): four products of eight lanes each. The ISA leaves their sums open; ptxas 13.0 makes single
operations of f32 of it for sm_90a (nvdisasm shows them), each rounded: where D is f32, products one after the other and then C; where it
is f16, to C the sum of the first two, then that of the others."""

from __future__ import annotations

from collections.abc import Iterator

from exact_results import converted
from ieee import F16, F32

from .exact import arithmetic
from .form import Answer, Form, NotANumber

_LANES, _SIZE, _DEPTH = 32, 8, 4
_FUSED, _SUM, _PRODUCT = (arithmetic(name, F32, "rn") for name in ("fma", "add", "mul"))
_WIDEN, _NARROW = converted(F16, F32, "rn"), converted(F32, F16, "rn")


def _of(operation, *codes: int | None) -> int | None:
    return operation(*(F32.nan if code is None else code for code in codes))


def _halves(registers: tuple[int, ...]) -> list[int | None]:
    """As f32."""
    return [_WIDEN(register >> 16 * i & 0xFFFF) for register in registers for i in (0, 1)]


def _place(t: str, lane: int, i: int) -> tuple[int, int]:
    """Row and column of an element of C or D, by the ISA's formulas."""
    high = 4 if lane >= 16 else 0
    if t == "f16":
        return lane % 4 + high, i
    return (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)


def _answer(d: str, left: list, right: list, c: int | None) -> Answer:
    if d == "f32":
        total: int | None = 0
        for x, y in zip(left, right):
            total = _of(_FUSED, x, y, total)
        total = _of(_SUM, c, total)
        return NotANumber(F32) if total is None else total
    for first in (0, 2):
        product = _of(_PRODUCT, left[first], right[first])
        c = _of(_SUM, c, _of(_FUSED, left[first + 1], right[first + 1], product))
    code = None if c is None else _NARROW(c)
    return NotANumber(F16) if code is None else code


def _expected(rows: bool, columns: bool, d: str, c: str):
    """`rows`: A is stored by rows; `columns`: B by columns."""

    def expected(lanes: list[tuple]) -> list[tuple]:
        answers: list[tuple] = [()] * _LANES
        for quad in range(4):
            members = [half + 4 * quad + i for half in (0, 16) for i in range(4)]
            left, right, added = ([[None] * size for _ in range(_SIZE)] for size in (_DEPTH, _DEPTH, _SIZE))
            for lane in members:
                high = 4 if lane >= 16 else 0
                of_a, of_b = _halves(lanes[lane][:2]), _halves(lanes[lane][2:4])
                for i in range(_DEPTH):
                    for matrix, along, x in ((left, rows, of_a[i]), (right, columns, of_b[i])):
                        row, k = (lane % 4 + high, i) if along else (i + high, lane % 4)
                        matrix[row][k] = x
                values = _halves(lanes[lane][4:]) if c == "f16" else lanes[lane][4:]
                for i in range(_SIZE):
                    row, column = _place(c, lane, i)
                    added[row][column] = values[i]
            for lane in members:
                places = [_place(d, lane, i) for i in range(_SIZE)]
                answers[lane] = tuple(_answer(d, left[row], right[column], added[row][column]) for row, column in places)
        return answers

    return expected


def forms() -> Iterator[Form]:
    for of_a in ("row", "col"):
        for of_b in ("row", "col"):
            for d, c in (("f16", "f16"), ("f32", "f16"), ("f32", "f32")):
                name = f"mma.sync.aligned.m8n8k4.{of_a}.{of_b}.{d}.f16.f16.{c}"
                count = 4 if c == "f16" else 8
                listed = ["{" + ", ".join(f"%a{i}" for i in range(first, first + n)) + "}" for first, n in ((0, 2), (2, 2), (4, count))]
                if d == "f16":
                    body = f"{{ .reg .b32 %p<4>; {name} {{%p0, %p1, %p2, %p3}}, {', '.join(listed)}; "
                    body += " ".join(f"mov.b32 {{%d{2 * i}, %d{2 * i + 1}}}, %p{i};" for i in range(4)) + " }"
                else:
                    body = f"{name} {{{', '.join(f'%d{i}' for i in range(8))}}}, {', '.join(listed)};"
                kinds = ("f16x2",) * 4 + ("f16x2" if c == "f16" else "f32",) * count
                yield Form(name, body, kinds, ("b16" if d == "f16" else "b32",) * 8, "sm_80", domain="matrix", together=_LANES,
                           expected=_expected(of_a == "row", of_b == "col", d, c), strict=True)  # fmt: skip
