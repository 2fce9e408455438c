# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Pairs and fours of numbers: arithmetic of f32x2, conversions to and from formats of 8, 6 and 4 bits, and rounding by random bits,
against exact arithmetic."""

from __future__ import annotations

import math
import sys
import unittest
from collections.abc import Callable
from fractions import Fraction

from emulated import Device, options
from exact_results import SUMS, exact, power
from ieee import BF16, E4M3, E5M2, F16, F32, INFINITY, NAN, Format, decoded, encoded, rounded_integer
from instructions_test import Case, hold

E2M3, E3M2, E2M1 = (Format(e, m, has_infinity=False) for e, m in ((2, 3), (3, 2), (2, 1)))
TF32 = Format(8, 10)
NARROW = {"e4m3": E4M3, "e5m2": E5M2, "e2m3": E2M3, "e3m2": E3M2, "e2m1": E2M1}
LARGEST = {"e2m3": 0x1F, "e3m2": 0x1F, "e2m1": 7}  # formats that have numbers alone
PRODUCTS = {**SUMS, "mul": lambda a, b: a * b}
MASK = 0xFFFFFFFF


def flushed(code: int) -> int:
    return code & F32.sign if code & 0x7F800000 == 0 else code


def of_pairs() -> list[Case]:
    cases = []
    for op, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        for mode in ("rn", "rz", "rm", "rp"):
            for ftz in ("", ".ftz"):
                one = exact(op, PRODUCTS[op], F32, mode)

                def expected(*codes: int, one=one, ftz=ftz) -> int:
                    total = 0
                    for shift in (0, 32):
                        parts = [code >> shift & MASK for code in codes]
                        result = one(*(flushed(p) for p in parts) if ftz else parts)
                        result = F32.nan if result is None else result
                        total |= (flushed(result) if ftz else result) << shift
                    return total

                name = f"{op}.{mode}{ftz}.f32x2"
                registers = ", ".join("%" + letter for letter in "abc"[:count])
                cases.append(Case(name, f"{name} %d, {registers};", "b64", ["b64"] * count, expected))
    return cases


def narrowed(code: int, of: Format, name: str, relu: bool, random: tuple[int, int] | None = None) -> int:
    """The format's code; `random`: bits, and how many. What is too large becomes the largest number."""
    f, v = NARROW[name], decoded(code, of)
    largest = LARGEST.get(name, f.largest)
    if v.fraction == NAN:
        return f.nan or largest
    if relu and (v.negative or v.fraction == 0):
        return 0
    sign = f.sign if v.negative else 0
    if v.fraction == INFINITY:
        return sign | largest
    return sign | min(endless(abs(v.fraction), f, random), largest)


def endless(magnitude: Fraction, f: Format, random: tuple[int, int] | None) -> int:
    """The nearest code, of numbers that go on behind the largest; with random bits the one at or below it, or the next one, where what
    is cut off and they make a unit."""
    if magnitude == 0:
        return 0
    low = encoded(magnitude, Format(11, f.mantissa), "rz")  # in which nothing is too large or too small
    exponent = max((low >> f.mantissa) - 1023, 1 - f.bias)
    unit = Fraction(2) ** (exponent - f.mantissa)
    steps = math.floor(magnitude / unit + Fraction(random[0], 1 << random[1])) if random else rounded_integer(magnitude / unit, "rn")
    return steps if steps < 1 << f.mantissa else steps + (exponent + f.bias - 1 << f.mantissa)


def widened(code: int, name: str) -> int:
    """As f16."""
    f = NARROW[name]
    if name in LARGEST:
        magnitude = code & (f.sign - 1)
        exponent, fraction = magnitude >> f.mantissa, magnitude & ((1 << f.mantissa) - 1)
        value = Fraction(fraction + ((1 << f.mantissa) if exponent else 0)) * Fraction(2) ** (max(exponent, 1) - f.bias - f.mantissa)
        return encoded(value, F16) | (0x8000 if code & f.sign else 0)
    v = decoded(code, f)
    if not v.finite:
        return F16.nan if v.fraction == NAN else 0x7C00 | (0x8000 if v.negative else 0)
    return encoded(v.fraction, F16, "rn", v.negative)


def relu16(code: int) -> int:
    return code if code == F16.nan or not code & 0x8000 else 0


def conversions() -> list[Case]:
    cases = []
    for name in NARROW:
        each = 4 if name == "e2m1" else 8
        for relu in ("", ".relu"):
            for of, wide, operands in (("f32", F32, 2), ("f16x2", F16, 1)):
                if of == "f16x2" and name in ("e2m3", "e3m2"):
                    continue
                instruction = f"cvt.rn.satfinite{relu}.{name}x2.{of}"
                source = ", ".join("%" + letter for letter in "ab"[:operands])
                # A pair of e2m1 is a register of 8 bits.
                body = f"{{ .reg .b8 %x, %z; {instruction} %x, {source}; cvt.u8.u32 %z, 0; mov.b16 %d, {{%x, %z}}; }}" if each == 4 else f"{instruction} %d, {source};"

                def to(a: int, b: int = 0, name=name, wide=wide, of=of, each=each, relu=relu) -> int:
                    high, low = (a, b) if of == "f32" else (a >> 16, a & 0xFFFF)
                    return narrowed(high, wide, name, relu != "") << each | narrowed(low, wide, name, relu != "")

                cases.append(Case(instruction, body, "b16", ["b32"] * operands, to))
            instruction = f"cvt.rn{relu}.f16x2.{name}x2"
            body = f"{{ .reg .b8 %x, %y; mov.b16 {{%x, %y}}, %a; {instruction} %d, %x; }}" if each == 4 else f"{instruction} %d, %a;"

            def back(a: int, name=name, each=each, relu=relu) -> int:
                # Formats of six bits have two more, which are zeros.
                codes = [a >> shift & (15 if each == 4 else 255 if name not in LARGEST else 63) for shift in (0, each)]
                low, high = (relu16(widened(code, name)) if relu else widened(code, name) for code in codes)
                return high << 16 | low

            cases.append(Case(instruction, body, "b32", ["b16"], back))
    for mode, up in (("rz", False), ("rp", True)):
        instruction = f"cvt.{mode}.satfinite.ue8m0x2.f32"
        cases.append(Case(instruction, f"{instruction} %d, %a, %b;", "b16", ["b32"] * 2, lambda a, b, up=up: exponent(a, up) << 8 | exponent(b, up)))
        instruction = f"cvt.{mode}.satfinite.ue8m0x2.bf16x2"
        cases.append(Case(instruction, f"{instruction} %d, %a;", "b16", ["b32"], lambda a, up=up: exponent(a & 0xFFFF0000, up) << 8 | exponent(a << 16 & MASK, up)))
    for mode in ("rn", "rz"):
        for relu in ("", ".relu"):
            instruction = f"cvt.{mode}.satfinite{relu}.tf32.f32"
            cases.append(Case(instruction, f"{instruction} %d, %a;", "b32", ["b32"], lambda a, mode=mode, relu=relu: finite_tf32(a, mode, relu != "")))
    cases.append(Case("cvt.rn.bf16x2.ue8m0x2", "cvt.rn.bf16x2.ue8m0x2 %d, %a;", "b32", ["b16"], lambda a: power_of_two(a >> 8) << 16 | power_of_two(a & 255)))
    return cases


def finite_tf32(code: int, mode: str, relu: bool) -> int:
    v = decoded(code, F32)
    if v.fraction == NAN:
        return 0x7FFFE000  # which NaN no document says; this one is canonical as f16's and bf16's are: ones, but for the sign
    if relu and (v.negative or v.fraction == 0):
        return 0
    sign = F32.sign if v.negative else 0
    largest = 0x7F7FE000  # all but the last 13 bits of f32
    if v.fraction == INFINITY:
        return sign | largest
    return sign | min(encoded(abs(v.fraction), TF32, mode) << 13, largest)


def exponent(code: int, up: bool) -> int:
    """Of f32; `power` is that of bf16, to which what is below must be brought without crossing a power of two."""
    rest = code & 0x7FFFFFFF
    if rest > 0x7F800000:
        return 255
    sticky = 1 if rest & 0xFFFF and rest < 0x7F800000 else 0
    short = rest >> 16
    if up and sticky and short & 0x7F == 0 and short:
        short += 1
    if up and sticky and short == 0:
        return 0  # below 2^-127
    if up and sticky and short == 0x40:
        short += 1
    return power(short, up)


def power_of_two(code: int) -> int:
    return BF16.nan if code == 255 else encoded(Fraction(2) ** (code - 127), BF16)


def wide_by_random_bits(code: int, f: Format, random: int, count: int, relu: bool, finite: bool) -> int:
    v = decoded(code, F32)
    if v.fraction == NAN:
        return f.nan
    if relu and (v.negative or v.fraction == 0):
        return 0
    sign = f.sign if v.negative else 0
    if v.fraction == INFINITY:
        return sign | (f.largest if finite else f.largest + 1)
    return sign | min(endless(abs(v.fraction), f, (random, count)), f.largest if finite else f.largest + 1)


def backwards(bits: int) -> int:
    return int(f"{bits:016b}"[::-1], 2)


def randomly_rounded() -> list[Case]:
    cases = []
    for relu in ("", ".relu"):
        for name, f, count in (("f16x2", F16, 13), ("bf16x2", BF16, 16)):
            for finite in ("", ".satfinite"):
                instruction = f"cvt.rs{relu}{finite}.{name}.f32"

                def two(a: int, b: int, random: int, f=f, count=count, relu=relu, finite=finite) -> int:
                    parts = [(a, random >> 16), (b, random)]
                    high, low = (wide_by_random_bits(x, f, r & ((1 << count) - 1), count, relu != "", finite != "") for x, r in parts)
                    return high << 16 | low

                cases.append(Case(instruction, f"{instruction} %d, %a, %b, %c;", "b32", ["b32"] * 3, two))
        for name in NARROW:
            each = 4 if name == "e2m1" else 8
            instruction = f"cvt.rs{relu}.satfinite.{name}x4.f32"

            def four(a: int, b: int, e: int, f: int, random: int, name=name, each=each, relu=relu) -> int:
                if each == 8:
                    upper, lower = random >> 16, random & 0xFFFF
                else:
                    octets = random.to_bytes(4, "little")
                    upper, lower = octets[3] << 8 | octets[1], octets[2] << 8 | octets[0]
                code = 0
                for x, bits in ((a, backwards(upper)), (b, upper), (e, backwards(lower)), (f, lower)):
                    code = code << each | narrowed(x, F32, name, relu != "", (bits, 16))
                return code

            cases.append(Case(instruction, f"{instruction} %d, {{%a, %b, %c, %e}}, %f;", "b16" if each == 4 else "b32", ["b32"] * 5, four))
    return cases


class PairsTest(unittest.TestCase):
    def hold(self, cases: Callable[[], list[Case]]) -> None:
        hold(self, Device(ARGUMENTS), cases(), "sm_100a")

    def test_arithmetic(self) -> None:
        self.hold(of_pairs)

    def test_conversions(self) -> None:
        self.hold(conversions)

    def test_random_bits(self) -> None:
        self.hold(randomly_rounded)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
