# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What single instructions give, in exact arithmetic: of integers, of floats, and between them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ieee import BF16, F16, F32, F64, INFINITY, NAN, Format, decoded, encoded, rounded_integer, square_root

FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
SUMS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "fma": lambda a, b, c: a * b + c}


def signed(x: int, width: int) -> int:
    return x - (1 << width) if x >> (width - 1) & 1 else x


def clamp(x: int, low: int, high: int) -> int:
    return max(low, min(high, x))


def truncated(a: int, b: int) -> tuple[int, int]:
    if b == 0:
        return -1, -1  # both are unspecified; so an H200 has them
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - b * quotient


def signed_field(a: int, at: int, length: int, width: int) -> int:
    """As the ISA's pseudo-code has it, bit by bit."""
    if length == 0:
        return 0
    sign = a >> min(at + length - 1, width - 1) & 1
    return sum((a >> (at + i) & 1 if i < length and at + i < width else sign) << i for i in range(width))


def insert(a: int, b: int, at: int, length: int) -> int:
    mask = ((1 << length) - 1) << at
    return (b & ~mask) | (a << at & mask)


def permuted(a: int, b: int, selector: int) -> int:
    data, result = (b << 32 | a).to_bytes(8, "little"), 0
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = data[nibble & 7]
        result |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * i
    return result


def exact(op: str, apply: Callable[..., Fraction], f: Format, mode: str) -> Callable[..., int | None]:
    """Finite operands alone are worked out; what infinities and NaNs give is Python's arithmetic of doubles."""

    def expected(*codes: int) -> int | None:
        values = [decoded(c, f) for c in codes]
        if not all(v.finite for v in values) or (op == "div" and values[1].fraction == 0):
            return special(op, values, f)
        result = apply(*(v.fraction for v in values))
        first, second = values[0].negative, values[1].negative
        if op in ("mul", "div"):
            negative = first != second
        else:  # a sum that is zero is negative if both parts are, or when rounding down
            parts = {"add": (first, second), "sub": (first, not second)}.get(op) or (first != second, values[2].negative)
            zeros = values[0].fraction * (values[1].fraction if op == "fma" else 1) == 0 and values[-1].fraction == 0
            negative = parts[0] if zeros and parts[0] == parts[1] else mode == "rm"
        return encoded(result, f, mode, negative)

    return expected


def special(op: str, values: list, f: Format) -> int | None:
    as_float = [float("nan") if v.fraction == NAN else (-1 if v.negative else 1) * float("inf") if v.fraction == INFINITY
                else (-1.0 if v.negative else 1.0) * (0.0 if v.fraction == 0 else 1.0) for v in values]  # fmt: skip
    a, b = as_float[0], as_float[1]
    if op == "div":
        result = float("nan") if (b == 0 and (a == 0 or a != a)) else a / b if b else float("inf") * a * (-1 if values[1].negative else 1)
    else:
        result = {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "fma": lambda: a * b + as_float[2]}[op]()
    if result != result:
        return None
    sign = f.sign if str(result).startswith("-") else 0
    return sign | (f.largest + 1 if abs(result) == float("inf") else 0)


def root(f: Format, mode: str) -> Callable[[int], int | None]:
    def expected(code: int) -> int | None:
        v = decoded(code, f)
        if v.fraction == NAN or (v.negative and v.fraction != 0):
            return None
        if v.fraction == INFINITY or v.fraction == 0:
            return code
        return square_root(v.fraction, f, mode)

    return expected


def extreme(op: str, f: Format, nan_wins: bool) -> Callable[[int, int], int | None]:
    def order(code: int) -> int:  # -0 is below +0
        return -1 - (code & (f.sign - 1)) if code & f.sign else code

    def expected(a: int, b: int) -> int | None:
        nans = [decoded(x, f).fraction == NAN for x in (a, b)]
        if all(nans) or (nan_wins and any(nans)):
            return None
        if any(nans):
            return b if nans[0] else a
        return (min if op == "min" else max)(a, b, key=order)

    return expected


def extreme_of_three(op: str, nan_wins: bool, absolute: bool) -> Callable[[int, int, int], int | None]:
    two = extreme(op, F32, nan_wins)

    def expected(*operands: int) -> int | None:
        a, b, c = (x & ~F32.sign for x in operands) if absolute else operands
        of_two = two(a, b)
        return two(F32.nan if of_two is None else of_two, c)

    return expected


def passed_nan(code: int, of: Format, to: Format) -> int:
    """Between f64 and others: its sign, as much of its payload as there is room for, quiet."""
    payload = (code & ((1 << of.mantissa) - 1)) << to.mantissa >> of.mantissa
    return (to.sign if code & of.sign else 0) | (to.largest + 1) | 1 << (to.mantissa - 1) | payload


def converted(of: Format, to: Format, mode: str) -> Callable[[int], int | None]:
    def expected(code: int) -> int | None:
        v = decoded(code, of)
        if v.fraction == NAN:
            return passed_nan(code, of, to) if F64 in (of, to) else None
        if v.fraction == INFINITY:
            return (to.sign if v.negative else 0) | (to.largest + 1)
        return encoded(v.fraction, to, mode, v.negative)

    return expected


def tf32(code: int) -> int | None:
    v = decoded(code, F32)
    if not v.finite:
        return code & 0xFFFFE000  # a NaN is cut off
    return encoded(v.fraction, Format(8, 10), "rna", v.negative) << 13


def to_integer(to: str, width: int, mode: str) -> Callable[[int], int]:
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if to[0] == "s" else (0, (1 << width) - 1)

    def expected(code: int) -> int:
        v = decoded(code, F32)
        if v.fraction == NAN:
            return 1 << 63 if width == 64 else 0
        if v.fraction == INFINITY:
            return (low if v.negative else high) & ((1 << width) - 1)
        return clamp(rounded_integer(v.fraction, mode), low, high) & ((1 << width) - 1)

    return expected


def power(code: int, up: bool) -> int:
    """Of a bf16, the exponent of the power of two at or above its magnitude, or at or below it; below 2^-127 that."""
    code &= 0x7FFF
    if code > 0x7F80:
        return 255
    if code == 0x7F80:
        return 254
    magnitude = decoded(code, BF16).fraction
    powers = [e for e in range(255) if (Fraction(2) ** (e - 127) >= magnitude if up else Fraction(2) ** (e - 127) <= magnitude)]
    return (powers[0] if powers else 254) if up else (powers[-1] if powers else 0)


def eight(code: int, f: Format) -> int:
    v = decoded(code, F32)
    if v.fraction == NAN:
        return f.nan
    if v.fraction == INFINITY:
        return f.largest | (f.sign if v.negative else 0)
    return encoded(v.fraction, f, "rn", v.negative, finite=True)


def widened(code: int, f: Format) -> int:
    v = decoded(code, f)
    if not v.finite:
        return F16.nan if v.fraction == NAN else 0x7C00 | (0x8000 if v.negative else 0)
    return encoded(v.fraction, F16, "rn", v.negative)
