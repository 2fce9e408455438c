# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of PTX's formats by exact arithmetic on fractions, written from IEEE 754 and the ISA's tables: what the
emulator's results are compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

NAN, INFINITY = "nan", "infinity"  # with a sign: (NAN, False), (INFINITY, True); numbers are fractions


@dataclass(frozen=True, eq=False)  # compared by identity, which caches do for every number
class Format:
    exponent: int
    mantissa: int
    has_infinity: bool = True
    nan: int = 0  # the canonical one

    @cached_property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @cached_property
    def sign(self) -> int:
        return 1 << (self.exponent + self.mantissa)

    @cached_property
    def largest(self) -> int:
        top = ((1 << self.exponent) - 1) << self.mantissa
        return top - 1 if self.has_infinity else top + (1 << self.mantissa) - 2  # e4m3: all ones is NaN


F16, BF16 = Format(5, 10, nan=0x7FFF), Format(8, 7, nan=0x7FFF)
F32, F64 = Format(8, 23, nan=0x7FFFFFFF), Format(11, 52, nan=0x7FF8 << 48)
E4M3, E5M2 = Format(4, 3, has_infinity=False, nan=0x7F), Format(5, 2, nan=0x7F)
OUTSIDE = 0x7FF7  # the ISA's OOB-NaN of 16 bits, as an H200 has it: what tensor copies fill with, and fma.oob looks for


@dataclass(frozen=True)
class Value:
    """A fraction, an infinity or a NaN, with a sign that zeros have too."""

    fraction: Fraction | str
    negative: bool

    @property
    def finite(self) -> bool:
        return isinstance(self.fraction, Fraction)


def _power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@lru_cache(1 << 16)
def decoded(code: int, f: Format) -> Value:
    negative, rest = bool(code & f.sign), code & (f.sign - 1)
    exponent, fraction = rest >> f.mantissa, rest & ((1 << f.mantissa) - 1)
    if f.has_infinity and exponent == (1 << f.exponent) - 1:
        return Value(INFINITY if fraction == 0 else NAN, negative)
    if not f.has_infinity and rest == f.sign - 1:
        return Value(NAN, negative)
    whole = fraction if exponent == 0 else (1 << f.mantissa) + fraction
    magnitude = whole * _power_of_two(max(exponent, 1) - f.bias - f.mantissa)
    return Value(-magnitude if negative else magnitude, negative)


def rounded_integer(x: Fraction, mode: str) -> int:
    return _rounded(x.numerator, x.denominator, mode)


def _rounded(numerator: int, denominator: int, mode: str) -> int:
    floor, rest = divmod(numerator, denominator)
    if mode == "rm" or rest == 0:
        return floor
    if mode == "rp":
        return floor + 1
    if mode == "rz":
        return floor if numerator > 0 else floor + 1
    if 2 * rest != denominator:
        return floor + (2 * rest > denominator)
    if mode == "rna":
        return floor + (numerator > 0)
    return floor + floor % 2


def encoded(x: Fraction | float, f: Format, mode: str = "rn", zero_negative: bool = False, finite: bool = False) -> int:
    """The nearest code in that direction; `zero_negative`: the sign of an exact zero."""
    if x == 0:
        return f.sign if zero_negative else 0
    numerator, denominator = x.as_integer_ratio()
    negative, numerator = numerator < 0, abs(numerator)
    exponent = _exponent(numerator, denominator)
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    unit = max(exponent, 1 - f.bias) - f.mantissa
    toward = {"rm": "rp", "rp": "rm"}.get(mode, mode) if negative else mode
    steps = _rounded(numerator << max(-unit, 0), denominator << max(unit, 0), toward)
    code = steps if exponent < 1 - f.bias else steps + ((exponent + f.bias - 1) << f.mantissa)
    if code > f.largest:
        overflows = mode in ("rn", "rna") or (mode == "rp" and not negative) or (mode == "rm" and negative)
        code = f.largest + 1 if f.has_infinity and overflows and not finite else f.largest
    return code | (f.sign if negative else 0)


def _exponent(numerator: int, denominator: int) -> int:
    """Of the power of two at or below the magnitude, or one more."""
    return numerator.bit_length() - denominator.bit_length()


def square_root(x: Fraction, f: Format, mode: str) -> int:
    """Of a positive number: digits enough that rest and middle are told apart."""
    shift = 2 * (f.mantissa + 40 + abs(_exponent(x.numerator, x.denominator)))
    scaled = (x.numerator << shift) // x.denominator
    root = math.isqrt(scaled)
    exact = root * root == scaled and (x.numerator << shift) % x.denominator == 0
    value = Fraction(2 * root + (0 if exact else 1), 2 ** (shift // 2 + 1))
    return encoded(value, f, mode)
