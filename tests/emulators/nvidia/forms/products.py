# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix products by exact arithmetic. Sums of floats are right within what a tensor core's accumulator loses; their order
and width are documented nowhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ieee import BF16, E4M3, E5M2, F16, F32, F64
from instructions_test import clamp, signed

from .exact import encoded_double, number
from .form import Answer, Near, NotANumber

FORMATS = {"f16": F16, "bf16": BF16, "tf32": F32, "f32": F32, "f64": F64, "e4m3": E4M3, "e5m2": E5M2}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32}
_TF32_BITS = 0xFFFFE000


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
    terms = [x * y for x, y in zip(left, right)] + [c]
    if f is F64 and any(math.isinf(t) and math.isfinite(x) and math.isfinite(y) for t, x, y in zip(terms, left, right)):
        return None  # a product that overflows: the order of the sum decides
    if any(t != t for t in terms) or (math.inf in terms and -math.inf in terms):
        return NotANumber(f)
    if math.inf in terms or -math.inf in terms:
        return encoded_double(math.inf if math.inf in terms else -math.inf, f)
    try:
        total = math.fsum(terms)
    except OverflowError:
        return None
    if all(t == int(t) and abs(t) < 4096 for t in terms) and total != 0:
        return encoded_double(total, f)
    largest = max(abs(t) for t in terms)
    bits = 52 if f is F64 else 12 if shape.a in ("e4m3", "e5m2") else 22
    error = (shape.k + 2) * 2.0**-bits * largest
    if f is F16:
        error += 2.0**-10 * abs(total) + 2.0**-24
    if abs(total) - error > number(f.largest, f):
        return encoded_double(math.copysign(math.inf, total), f)
    return Near(total, error + (2.0**-149 if f is F32 else 0.0), f)


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
