# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix products, bit for bit: of integers and f64 as the ISA has them, of other floats as an H200's tensor cores add them, whose
order and width of sums the ISA leaves open. Written once more and in Python, beside the emulator's device/products.cpp and mma.cpp."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exact_results import clamp, signed
from ieee import BF16, E4M3, E5M2, F16, F32, F64, Format

from .exact import arithmetic, encoded_double, number
from .form import Answer, NotANumber

FORMATS = {"f16": F16, "bf16": BF16, "tf32": F32, "f32": F32, "f64": F64, "e4m3": E4M3, "e5m2": E5M2}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32}
_TF32_BITS = 0xFFFFE000
_KEPT, _CUT = 25, 24  # bits below the largest exponent of a sum, and of its result in f32
_KEPT_OF_EIGHT, _CUT_OF_EIGHT = 13, 14  # of wgmma with e4m3 and e5m2
_FUSED = arithmetic("fma", F64, "rn")


@dataclass(frozen=True)
class Shape:
    m: int
    n: int
    k: int
    d: str
    a: str
    b: str
    satfinite: bool = False
    popc: str = "xor"
    warpgroup: bool = False

    def registers(self) -> tuple[int, int, int, int]:
        """Of a lane: D, A, B, C."""
        size = 64 if self.a == "f64" else 32
        c = self.m * self.n // 32 // (2 if self.d == "f16" else 1)
        return c, self.m * self.k * BITS[self.a] // 32 // size, self.n * self.k * BITS[self.b] // 32 // size, c


def values(register: int, t: str) -> list:
    """The elements of a register, the lowest first."""
    bits = BITS[t]
    codes = [register >> bits * i & ((1 << bits) - 1) for i in range(max(32, bits) // bits)]
    if t in FORMATS:
        return [number(c & _TF32_BITS if t == "tf32" else c, FORMATS[t]) for c in codes]
    return [signed(c, bits) for c in codes] if t[0] == "s" else codes


def accumulated(left: Sequence, right: Sequence, c, shape: Shape) -> Answer:
    """One element of D."""
    if shape.d == "s32":
        if shape.a == "b1":
            total = c + sum((x & y) if shape.popc == "and" else (x ^ y) for x, y in zip(left, right))
        else:
            total = c + sum(x * y for x, y in zip(left, right))
        return clamp(total, -(1 << 31), (1 << 31) - 1) if shape.satfinite else total & 0xFFFFFFFF
    f = FORMATS[shape.d]
    if f is F64:  # one after the other
        code = encoded_double(c, F64)
        for x, y in zip(left, right):
            code = _FUSED(encoded_double(x, F64), encoded_double(y, F64), code) if code is not None else None
        return NotANumber(F64) if code is None else code
    eight = BITS[shape.a] == 8
    if not eight or shape.warpgroup:
        total = step(left, right, c, _KEPT_OF_EIGHT if eight and shape.warpgroup else _KEPT, f, _CUT_OF_EIGHT if eight else _CUT)
    else:
        total = 0.0
        for part in (0, 1):  # of each register the lower two numbers, then the upper two
            places = [k for k in range(shape.k) if k % 4 // 2 == part]
            total = step([left[k] for k in places], [right[k] for k in places], total, _KEPT, f, _CUT)
        total += c
    return NotANumber(f) if total != total else encoded_double(total, f)


def step(left: Sequence, right: Sequence, c, kept: int, f: Format, significant: int) -> float:
    """A sum as an H200's tensor cores make it: products and c are aligned to the largest exponent among them (of products, the sum
    of the factors'), cut off `kept` bits below it, and added; the sum is cut off to `significant` bits, or rounded to f16."""
    terms = [x * y for x, y in zip(left, right)] + [c]
    if not all(map(math.isfinite, terms)):
        return sum(terms)
    exponents = [exponent(x) + exponent(y) for x, y in zip(left, right) if x and y] + ([exponent(c)] if c else [])
    if not exponents:
        return 0.0
    unit = max(exponents) - kept
    total = math.ldexp(sum(math.trunc(math.ldexp(t, -unit)) for t in terms), unit)
    if f is F32 and total:
        unit = max(exponent(total) - significant + 1, 1 - f.bias - f.mantissa)
        total = math.ldexp(math.trunc(math.ldexp(total, -unit)), unit)
    return number(encoded_double(total, f), f)


def exponent(x: float) -> int:
    return math.frexp(x)[1] - 1


def of_warp(shape: Shape, counts: Sequence[int]) -> Callable[[list[tuple]], list[tuple]]:
    """Fragments as the figures of mma.m16n8k* have them: element e of register r of a lane."""
    each = max(32, BITS[shape.a]) // BITS[shape.a]
    high = shape.m // 8

    def expected(rows: list[tuple]) -> list[tuple]:
        left = [[0] * shape.k for _ in range(shape.m)]
        right = [[0] * shape.k for _ in range(shape.n)]
        c: dict[tuple[int, int], object] = {}
        for lane, row in enumerate(rows):
            group, place = lane // 4, lane % 4
            for r in range(counts[1]):
                for e, x in enumerate(values(row[r], shape.a)):
                    left[group + 8 * (r % high)][r // high * 4 * each + place * each + e] = x
            for r in range(counts[2]):
                for e, x in enumerate(values(row[counts[1] + r], shape.b)):
                    right[group][r * 4 * each + place * each + e] = x
            begin = counts[1] + counts[2]
            flat = [x for register in row[begin : begin + counts[3]] for x in values(register, shape.d)]
            for i, x in enumerate(flat):
                c[group + 8 * (i // 2), 2 * place + i % 2] = x
        answers = []
        for lane in range(len(rows)):
            places = [(lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2) for i in range(shape.m // 4)]
            answers.append(tuple(accumulated(left[r], right[n], c[r, n], shape) for r, n in places))
        return answers

    return expected
