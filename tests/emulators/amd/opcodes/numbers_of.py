# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Floating-point numbers as bits, with exact arithmetic between: every result is a fraction that is rounded once."""

import math
import struct
from fractions import Fraction

NAN = object()  # any of them
SIZES = {"f16": (11, -14, 15), "f32": (24, -126, 127), "f64": (53, -1022, 1023), "bf16": (8, -126, 127)}
BITS = {"f16": 16, "f32": 32, "f64": 64, "bf16": 16}
PACKED = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "f64": ("<Q", "<d")}


def value(bits: int, kind: str) -> float:
    """All of these formats fit into a float of Python."""
    if kind == "bf16":
        return value((bits & 0xFFFF) << 16, "f32")
    integer, number = PACKED[kind]
    return struct.unpack(number, struct.pack(integer, bits & (1 << BITS[kind]) - 1))[0]


def infinity(negative: bool, kind: str) -> int:
    precision, _, high = SIZES[kind]
    return (negative << BITS[kind] - 1) | (2 * high + 1) << precision - 1


def rounded(x, kind: str, negative_zero: bool = False):
    """Bits of the number nearest to x, a fraction or a float; of two, the even one. NAN for one."""
    if isinstance(x, float):
        if math.isnan(x):
            return NAN
        if math.isinf(x):
            return infinity(x < 0, kind)
        if x == 0:
            return (math.copysign(1, x) < 0) << BITS[kind] - 1
        x = Fraction(x)
    precision, low, high = SIZES[kind]
    if x == 0:
        return negative_zero << BITS[kind] - 1
    # In integers: most of this test's time is spent here, and fractions take three times as long.
    sign, above, below = x < 0, abs(x.numerator), x.denominator
    exponent = above.bit_length() - below.bit_length()
    if (below << exponent if exponent >= 0 else below) > (above if exponent >= 0 else above << -exponent):
        exponent -= 1
    unit = max(exponent, low) - (precision - 1)
    steps, rest = divmod(above << max(-unit, 0), below << max(unit, 0))
    rest = 2 * rest - (below << max(unit, 0))
    steps += rest > 0 or (rest == 0 and steps & 1)
    if steps >= 1 << precision:
        steps, unit = steps >> 1, unit + 1
    if unit + precision - 1 > high:
        return infinity(sign, kind)
    biased = 0 if steps < 1 << precision - 1 else unit + precision - 1 + high
    return sign << BITS[kind] - 1 | biased << precision - 1 | steps & (1 << precision - 1) - 1


def is_special(*numbers: float) -> bool:
    return any(math.isnan(x) or math.isinf(x) for x in numbers)


def added(a: float, b: float, kind: str):
    if is_special(a, b):
        return rounded(a + b, kind)
    # A sum that is exactly zero is +0, but of two zeros with a sign.
    both_negative = math.copysign(1, a) < 0 and math.copysign(1, b) < 0
    return rounded(Fraction(a) + Fraction(b), kind, a == b == 0 and both_negative)


def multiplied(a: float, b: float, kind: str):
    negative = math.copysign(1, a) * math.copysign(1, b) < 0
    if is_special(a, b):
        return NAN if math.isnan(a) or math.isnan(b) or a == 0 or b == 0 else infinity(negative, kind)
    return rounded(Fraction(a) * Fraction(b), kind, negative)


def fused(a: float, b: float, c: float, kind: str):
    """a b + c, rounded once."""
    negative = math.copysign(1, a) * math.copysign(1, b) < 0
    if is_special(a, b):
        if math.isnan(a) or math.isnan(b) or a == 0 or b == 0 or math.isnan(c):
            return NAN
        return NAN if math.isinf(c) and (c < 0) != negative else infinity(negative, kind)
    if is_special(c):
        return rounded(c, kind)
    exact = Fraction(a) * Fraction(b)
    both_negative = negative and math.copysign(1, c) < 0
    return rounded(exact + Fraction(c), kind, exact == 0 and c == 0 and both_negative)


def divided(a: float, b: float, kind: str):
    negative = math.copysign(1, a) * math.copysign(1, b) < 0
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return NAN
    if math.isinf(a) or b == 0:
        return infinity(negative, kind)
    return rounded(Fraction(0) if math.isinf(b) else Fraction(a) / Fraction(b), kind, negative)


def least(a: float, b: float) -> float:
    """The number if the other is none; -0 lies below +0."""
    if math.isnan(a):
        return b
    if math.isnan(b):
        return a
    return a if (a, math.copysign(1, a)) < (b, math.copysign(1, b)) else b


def greatest(a: float, b: float) -> float:
    if math.isnan(a):
        return b
    if math.isnan(b):
        return a
    return b if (a, math.copysign(1, a)) < (b, math.copysign(1, b)) else a


def even(x: float) -> float:
    """The nearest whole number; of two, the even one. With the sign of x."""
    return x if is_special(x) or abs(x) >= 2**52 else math.copysign(float(round(x)), x)


def whole(function, x: float) -> float:
    """math.floor and its like, of anything and with the sign of x."""
    return x if is_special(x) or x == 0 else math.copysign(float(function(x)), x)


def saturated(x: float, bits: int, signed: bool) -> int:
    """Towards zero into an integer; 0 of no number."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(x):
        return 0
    whole_part = (low if x < 0 else high) if math.isinf(x) else min(max(math.trunc(x), low), high)
    return whole_part & (1 << bits) - 1


def unequal(found: int, expected, kind: str, units: int = 0) -> bool:
    """Whether bits of that format are not those; two NaNs are one. `units`: so far may they be from each other."""
    size = BITS[kind]
    found &= (1 << size) - 1
    if expected is NAN:
        return not math.isnan(value(found, kind))
    if found == expected:
        return False
    ordered = [x if x >> size - 1 == 0 else -(x & (1 << size - 1) - 1) for x in (found, expected)]
    return math.isnan(value(found, kind)) or abs(ordered[0] - ordered[1]) > units
