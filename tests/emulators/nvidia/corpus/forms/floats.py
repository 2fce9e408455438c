# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Floating-point arithmetic of f32 and f64: PTX ISA 9.7.3."""

from __future__ import annotations

import math
from collections.abc import Iterator

from exact_results import root
from ieee import F32, F64, Format

from .exact import approximate, arithmetic, encoded_double, flushed, is_nan, minimum, modified, number, reciprocal
from .form import ANYTHING, Answer, Form, Near, NotANumber, plain

_MODES = ("rn", "rz", "rm", "rp")
_SINGLE, _DOUBLE = "f32", "f64"


def suffixed(name: str, **modifiers: bool) -> str:
    return name + "".join(f".{m}" for m, there in modifiers.items() if there)


def _rounded() -> Iterator[Form]:
    for t, f in ((_SINGLE, F32), (_DOUBLE, F64)):
        flags = (False, True) if t == _SINGLE else (False,)
        result = f"b{t[1:]}"
        for mode in _MODES:
            for ftz in flags:
                for sat in flags:
                    for operation in ("add", "sub", "mul", "fma", "mad"):
                        count = 3 if operation in ("fma", "mad") else 2
                        of = arithmetic("fma" if count == 3 else operation, f, mode)
                        yield plain(suffixed(f"{operation}.{mode}", ftz=ftz, sat=sat) + f".{t}", (t,) * count, result,
                                    modified(of, f, ftz=ftz, sat=sat))  # fmt: skip
                name = suffixed(mode, ftz=ftz)
                yield plain(f"div.{name}.{t}", (t, t), result, modified(arithmetic("div", f, mode), f, ftz=ftz))
                yield plain(f"rcp.{name}.{t}", (t,), result, modified(reciprocal(f, mode), f, ftz=ftz))
                yield plain(f"sqrt.{name}.{t}", (t,), result, modified(root(f, mode), f, ftz=ftz))


def _signs() -> Iterator[Form]:
    for t, f, flags in ((_SINGLE, F32, (False, True)), (_DOUBLE, F64, (False,))):
        result = f"b{t[1:]}"
        for ftz in flags:
            name = ".ftz" if ftz else ""
            for operation in ("abs", "neg"):
                def signs(a: int, f=f, ftz=ftz, negate=operation == "neg") -> Answer:
                    if is_nan(a, f):  # of which the ISA says neither sign nor payload
                        return None
                    a = flushed(a, f) if ftz else a
                    return a ^ f.sign if negate else a & (f.sign - 1)

                yield plain(f"{operation}{name}.{t}", (t,), result, signs)
            for operation in ("min", "max"):
                for nan in flags:
                    for xorsign in (False, True) if t == _SINGLE else (False,):
                        full = suffixed(f"{operation}{name}", NaN=nan) + (".xorsign.abs" if xorsign else "")
                        target = "sm_86" if xorsign else "sm_80"
                        yield plain(f"{full}.{t}", (t, t), result, modified(minimum(operation, f, nan, xorsign), f, ftz=ftz), target)
        yield plain(f"copysign.{t}", (t, t), result, lambda a, b, f=f: b & (f.sign - 1) | a & f.sign)
        for what in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield plain(f"testp.{what}.{t}", (t,), "pred", _property(what, f))


def _property(what: str, f: Format):
    """Zeros count as normal numbers (9.7.3.1)."""

    def expected(a: int) -> int:
        rest = a & (f.sign - 1)
        exponent, fraction = rest >> f.mantissa, rest & ((1 << f.mantissa) - 1)
        top = exponent == (1 << f.exponent) - 1
        return int({"finite": not top, "infinite": top and fraction == 0, "number": not (top and fraction), "normal": (0 < exponent or rest == 0) and not top,
                    "notanumber": top and fraction != 0, "subnormal": exponent == 0 and fraction != 0}[what])  # fmt: skip

    return expected


def relative(bits: float):
    return lambda x, y: 2.0**bits * abs(y)


def _sine_error(x: float, y: float) -> float | None:
    """2^-20.5 within 2 pi, 2^-14.7 within 100 pi (9.7.3.18)."""
    return 2**-20.5 if abs(x) <= 2 * math.pi else 2**-14.7 if abs(x) <= 100 * math.pi else None


def _logarithm_error(x: float, y: float) -> float:
    return 2**-22 if 0.5 < x < 2 else 2**-22 * abs(y)


def _logarithm(x: float) -> float:
    return -math.inf if x == 0 else math.log2(x)


def inverse(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else 1 / x


def inverse_root(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x)


def _root(x: float) -> float:
    return x if x == 0 else math.sqrt(x)


def power(x: float) -> float:
    return math.inf if x > 2000 else 0.0 if x < -2000 else 2.0**x


def _approximate() -> Iterator[Form]:
    for ftz in (False, True):
        name = "approx.ftz" if ftz else "approx"
        for operation, function, error, kind in (
            ("rcp", inverse, relative(-23), _SINGLE), ("sqrt", _root, relative(-23), _SINGLE),
            ("rsqrt", inverse_root, relative(-22.9), _SINGLE), ("sin", math.sin, _sine_error, "angle"),
            ("cos", math.cos, _sine_error, "angle"), ("lg2", _logarithm, _logarithm_error, _SINGLE),
            ("ex2", power, relative(-22), _SINGLE),
        ):  # fmt: skip
            yield plain(f"{operation}.{name}.f32", (kind,), "b32", approximate(function, F32, error, ftz))
        for how in ("approx", "full"):
            yield plain(suffixed(f"div.{how}", ftz=ftz) + ".f32", (_SINGLE, _SINGLE), "b32", _quotient(how, ftz))
    yield plain("tanh.approx.f32", (_SINGLE,), "b32", approximate(math.tanh, F32, relative(-11), False))
    yield plain("rsqrt.approx.f64", (_DOUBLE,), "b64", approximate(inverse_root, F64, relative(-50), False))
    # The ISA states no error of these two; their results have 20 bits behind the first.
    for operation, function in (("rcp", inverse), ("rsqrt", inverse_root)):
        expected = approximate(function, F64, relative(-19), True)
        yield plain(f"{operation}.approx.ftz.f64", (_DOUBLE,), "b64", lambda a, e=expected: e(a & 0xFFFFFFFF00000000))  # no NaN below that


def _quotient(how: str, ftz: bool):
    """At most two units in the last place; of .approx where 2^-126 <= |b| <= 2^126, and nothing above (9.7.3.8)."""

    def expected(a: int, b: int) -> Answer:
        if ftz:
            a, b = flushed(a, F32), flushed(b, F32)
        x, y = number(a, F32), number(b, F32)
        if x != x or y != y or (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
            return NotANumber(F32)
        if how == "approx" and 0 < abs(y) < 2.0**-126:
            return ANYTHING
        if how == "approx" and 2.0**126 < abs(y) < math.inf:
            return NotANumber(F32) if math.isinf(x) else Near(0.0, 0.0, F32)
        if y == 0 or math.isinf(x) or math.isinf(y) or x == 0:
            sign = (a ^ b) & F32.sign
            return sign | (0x7F800000 if math.isinf(x) or y == 0 else 0)
        q = x / y
        if abs(q) > number(F32.largest, F32):
            return encoded_double(math.copysign(math.inf, q), F32)
        # The division may flush subnormal numbers in any case, since it is made of approximate steps.
        return Near(q, 2**-22 * abs(q) + (2.0**-126 if abs(q) < 2.0**-125 else 0), F32)

    return expected


def forms() -> Iterator[Form]:
    yield from _rounded()
    yield from _signs()
    yield from _approximate()
