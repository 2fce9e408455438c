# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Floating-point results by exact arithmetic: what modifiers make of operands and results, pairs, and functions that
hardware approximates, with the errors that the PTX ISA (9.7.3, 9.7.4) grants them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from exact_results import exact, extreme
from ieee import F64, INFINITY, NAN, Format, decoded, encoded

from .form import ANYTHING, Answer, Including, Near, NotANumber


def is_nan(code: int, f: Format) -> bool:
    return (code & (f.sign - 1)) > f.largest + (1 if f.has_infinity else 0)


def flushed(code: int, f: Format) -> int:
    return code & f.sign if (code & (f.sign - 1)) >> f.mantissa == 0 else code


def saturated(code: int, f: Format) -> int:
    """Into [0, 1]; -0 becomes +0."""
    one = f.bias << f.mantissa
    return 0 if code & f.sign else min(code, one)


def modified(expected: Callable[..., int | None], f: Format, ftz: bool = False, sat: bool = False, relu: bool = False):
    """With what modifiers do to operands and result; None of `expected` is a NaN."""

    def result(*codes: int) -> Answer:
        codes = tuple(flushed(c, f) for c in codes) if ftz else codes
        code = expected(*codes)
        if code is None:
            return 0 if sat else NotANumber(f)
        if ftz and isinstance(expected, Arithmetic) and expected.tiny(*codes):
            code &= f.sign
        if sat:
            code = saturated(code, f)
        if relu and code & f.sign:
            code = 0
        return flushed(code, f) if ftz else code

    return result


def below_normal(x: Fraction, f: Format, mode: str) -> bool:
    """Whether a number lies below the normal ones when it is rounded to the format's digits as if there were no least exponent:
    what .ftz makes a zero of, on an H200, also where rounding to a subnormal's digits leads to the least normal number."""
    wide = Format(f.exponent + 2, f.mantissa)
    return x != 0 and encoded(x, wide, mode) & (wide.sign - 1) < (1 - f.bias + wide.bias) << f.mantissa


class Arithmetic:
    """An operation by exact arithmetic. The first operands may be given at once."""

    def __init__(self, operation: str, f: Format, mode: str, first: tuple[int, ...] = ()) -> None:
        self._apply = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
                       "fma": lambda a, b, c: a * b + c}[operation]  # fmt: skip
        self._exact = exact(operation, self._apply, f, mode)
        self._f, self._mode, self._first = f, mode, first

    def __call__(self, *codes: int) -> int | None:
        return self._exact(*self._first, *codes)

    def tiny(self, *codes: int) -> bool:
        code = self(*codes)
        if code is None or code & (self._f.sign - 1) != 1 << self._f.mantissa:
            return False
        return below_normal(self._apply(*(decoded(c, self._f).fraction for c in self._first + codes)), self._f, self._mode)


def arithmetic(operation: str, f: Format, mode: str) -> Arithmetic:
    return Arithmetic(operation, f, mode)


def reciprocal(f: Format, mode: str) -> Arithmetic:
    return Arithmetic("div", f, mode, (f.bias << f.mantissa,))


def minimum(operation: str, f: Format, nan_wins: bool, xorsign: bool) -> Callable[[int, int], int | None]:
    chosen = extreme(operation, f, nan_wins)
    if not xorsign:
        return chosen

    def expected(a: int, b: int) -> int | None:
        code = chosen(a & (f.sign - 1), b & (f.sign - 1))
        return None if code is None else (code & (f.sign - 1)) | ((a ^ b) & f.sign)

    return expected


def paired(expected: Callable[..., Answer]):
    """Element by element of f16x2 and bf16x2."""

    def result(*codes: int) -> Answer:
        parts = []
        for shift in (0, 16):
            part = expected(*(c >> shift & 0xFFFF for c in codes))
            part = part.format.nan if isinstance(part, NotANumber) else part
            if part is None or isinstance(part, Near):
                return None
            parts.append(part)
        return parts[0] | parts[1] << 16

    return result


@lru_cache(1 << 16)
def number(code: int, f: Format) -> float:
    """As a double, which holds every format's numbers."""
    v = decoded(code, f)
    if v.fraction == NAN:
        return math.nan
    if v.fraction == INFINITY:
        return -math.inf if v.negative else math.inf
    return -0.0 if v.negative and v.fraction == 0 else float(v.fraction)


def approximate(function: Callable[[float], float], f: Format, error: Callable[[float, float], float | None], ftz: bool):
    """Of one operand: the function in doubles; `error` of operand and result, None where the ISA grants none. Subnormal
    results may be flushed by `ftz`, so that they may be off by the least normal number."""

    def expected(code: int) -> Answer:
        code = flushed(code, f) if ftz else code
        x = number(code, f)
        try:
            y = function(x)
        except OverflowError:
            y = math.inf
        except ValueError:
            y = math.nan
        if y != y:
            return NotANumber(f)
        if math.isinf(y) or y == 0:
            return encoded_double(y, f)
        largest = number(f.largest, f)
        if abs(y) > largest:
            return encoded_double(math.copysign(math.inf, y), f)
        allowed = error(x, y)
        least = 2.0 ** (1 - f.bias)
        if allowed is None:
            return ANYTHING
        return Near(y, allowed + (least if ftz and abs(y) < least * 1.01 else 2.0 ** (1 - f.bias - f.mantissa)), f)

    return expected


def encoded_double(x: float, f: Format) -> int:
    if x != x:
        return f.nan
    sign = f.sign if math.copysign(1, x) < 0 else 0
    if math.isinf(x):
        return sign | (f.largest + 1)
    return encoded(x, f, zero_negative=bool(sign))


def right(found: int, wanted: Answer, width: int) -> bool:
    """Whether a result is what is expected of it."""
    if wanted is None:
        return True
    if isinstance(wanted, NotANumber):
        return is_nan(found, wanted.format) if wanted.format is F64 else found == wanted.format.nan
    if isinstance(wanted, Including):
        return found & wanted.bits == wanted.bits
    if isinstance(wanted, Near):
        value = number(found, wanted.format)
        if math.isinf(value):  # at the end of the range, an error may lead out of it
            return abs(wanted.value) + wanted.error >= number(wanted.format.largest, wanted.format) and value * wanted.value > 0
        return abs(value - wanted.value) <= wanted.error
    return found == wanted & ((1 << width) - 1)


def shown(wanted: Answer, width: int) -> str:
    if isinstance(wanted, NotANumber):
        return "any NaN" if wanted.format is F64 else f"the NaN {wanted.format.nan:#x}"
    if isinstance(wanted, Near):
        return f"{wanted.value!r} with an error of at most {wanted.error:.3g}"
    if isinstance(wanted, Including):
        return "anything" if wanted.bits == 0 else f"a mask with {wanted.bits:#x}"
    return "what the device has" if wanted is None else f"{wanted & ((1 << width) - 1):#0{width // 4 + 2}x}"
