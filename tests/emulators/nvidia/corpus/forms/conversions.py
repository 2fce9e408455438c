# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Conversions: PTX ISA 9.7.9.21 (cvt) and cvt.pack."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exact_results import FORMATS, clamp, eight, passed_nan, signed, widened
from ieee import BF16, E4M3, E5M2, F16, F32, F64, INFINITY, NAN, Format, decoded, encoded, rounded_integer

from .exact import below_normal, flushed, saturated
from .form import Answer, Form, NotANumber, plain
from .integers import value

_INTEGERS = ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64")
_MODES = ("rn", "rz", "rm", "rp")
_TF32, _KEPT = Format(8, 10), 0xFFFFE000
_NARROW = (("e4m3", E4M3), ("e5m2", E5M2))


def _register(t: str) -> str:
    return f"b{max(int(t[1:]), 16)}"


def _limits(t: str) -> tuple[int, int]:
    width = int(t[1:])
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if t[0] == "s" else (0, (1 << width) - 1)


def _extended(x: int, t: str) -> int:
    """As it stands in a register wider than the type (9.4.1): extended by its sign."""
    return x & ((1 << max(int(t[1:]), 16)) - 1)


def _wrapped(x: int, t: str) -> int:
    x &= (1 << int(t[1:])) - 1
    return _extended(signed(x, int(t[1:])) if t[0] == "s" else x, t)


def _between_integers() -> Iterator[Form]:
    for to in _INTEGERS:
        for of in _INTEGERS:
            kind, mask = f"i{of[1:]}", (1 << int(of[1:])) - 1
            yield plain(f"cvt.{to}.{of}", (kind,), _register(to), lambda a, to=to, of=of, m=mask: _wrapped(value(a & m, of), to))
            if _limits(to)[0] <= _limits(of)[0] and _limits(of)[1] <= _limits(to)[1]:
                continue  # .sat is refused where nothing can be too large
            yield plain(f"cvt.sat.{to}.{of}", (kind,), _register(to),
                        lambda a, to=to, of=of, m=mask: _extended(clamp(value(a & m, of), *_limits(to)), to))  # fmt: skip
    for to in ("u16", "s16", "u8", "s8"):
        def pair(a: int, b: int, to=to) -> int:
            width = int(to[1:])
            high, low = (clamp(signed(x, 32), *_limits(to)) & ((1 << width) - 1) for x in (a, b))
            return high << width | low

        if to[1:] == "16":
            yield plain(f"cvt.pack.sat.{to}.s32", ("i32", "i32"), "b32", pair)
        else:
            yield plain(f"cvt.pack.sat.{to}.s32.b32", ("i32",) * 3, "b32", lambda a, b, c, f=pair: f(a, b) | (c & 0xFFFF) << 16)


def _with_integers() -> Iterator[Form]:
    for t, f in FORMATS.items():
        result, target = f"b{1 + f.exponent + f.mantissa}", "sm_90" if t == "bf16" else "sm_80"
        for integer in _INTEGERS if t != "bf16" else _INTEGERS[1:4] + _INTEGERS[5:]:
            kind, mask = f"i{integer[1:]}", (1 << int(integer[1:])) - 1
            for mode in _MODES:
                yield plain(f"cvt.{mode}.{t}.{integer}", (kind,), result,
                            lambda a, i=integer, m=mask, f=f, mode=mode: encoded(Fraction(value(a & m, i)), f, mode), target)  # fmt: skip
                for ftz in (False, True) if t == "f32" else (False,):
                    yield plain(f"cvt.{mode}i{'.ftz' if ftz else ''}.{integer}.{t}", (t,), _register(integer),
                                _to_integer(integer, f, mode, ftz), target)  # fmt: skip


def _to_integer(to: str, f: Format, mode: str, ftz: bool):
    low, high = _limits(to)

    def expected(code: int) -> Answer:
        v = decoded(flushed(code, f) if ftz else code, f)
        if v.fraction == NAN:  # the top bit where either has 64 bits, else 0 (9.7.9.21)
            return _extended(low or 1 << (int(to[1:]) - 1), to) if f is F64 or to[1:] == "64" else 0
        if v.fraction == INFINITY:
            return _extended(low if v.negative else high, to)
        return _extended(clamp(rounded_integer(v.fraction, mode), low, high), to)

    return expected


def _number(of: Format, to: Format, mode: str, ftz: bool = False, sat: bool = False, relu: bool = False, finite: bool = False):
    def expected(code: int) -> Answer:
        # .ftz means f32 alone, and the device does not flush the operand of a conversion to f16.
        v = decoded(flushed(code, of) if ftz and of is F32 and to is not F16 else code, of)
        if v.fraction == NAN:
            return 0 if sat else _nan(code, of, to, ftz)
        if v.fraction == INFINITY:
            result = (to.sign if v.negative else 0) | (to.largest if finite else to.largest + 1)
        else:
            result = encoded(v.fraction, to, mode, v.negative, finite)
        if sat:
            result = saturated(result, to)
        if relu and result & to.sign:
            result = 0
        if ftz and to is F32 and isinstance(v.fraction, Fraction) and below_normal(v.fraction, to, mode):
            return result & to.sign
        return flushed(result, to) if ftz and to is F32 else result

    return expected


def _nan(code: int, of: Format, to: Format, ftz: bool) -> Answer:
    if of is BF16 and to is F32:
        return code << 16
    if F64 not in (of, to):
        return NotANumber(to)
    return passed_nan(F32.nan if ftz and of is F32 else code, of, to)


def _between_floats() -> Iterator[Form]:
    for of, to, modes, target in (
        ("f64", "f32", _MODES, "sm_80"), ("f64", "f16", _MODES, "sm_80"), ("f64", "bf16", _MODES, "sm_90"),
        ("f32", "f16", ("rn", "rz"), "sm_80"), ("f32", "bf16", ("rn", "rz"), "sm_80"),
        ("f32", "f16", ("rm", "rp"), "sm_80"), ("bf16", "f16", _MODES, "sm_90"), ("f16", "bf16", _MODES, "sm_90"),
        ("f16", "f32", ("",), "sm_80"), ("f16", "f64", ("",), "sm_80"), ("bf16", "f32", ("",), "sm_80"),
        ("bf16", "f64", ("",), "sm_90"), ("f32", "f64", ("",), "sm_80"),
    ):  # fmt: skip
        flags = [()]
        if "f32" in (of, to) and "bf16" not in (of, to) and target == "sm_80":
            flags += [("ftz",)]
        if to in ("f16", "f32", "f64") and "bf16" not in (of, to):
            flags += [("sat",), ("ftz", "sat")] if ("ftz",) in flags else [("sat",)]
        if of == "f32" and modes == ("rn", "rz"):
            flags += [("relu",), ("satfinite",), ("relu", "satfinite")] if to == "bf16" else [("relu",)]
        for mode in modes:
            for flag in flags:
                name = "cvt" + (f".{mode}" if mode else "") + "".join(f".{x}" for x in flag)
                expected = _number(FORMATS[of], FORMATS[to], mode or "rn", "ftz" in flag, "sat" in flag, "relu" in flag, "satfinite" in flag)
                needs = "sm_90" if "satfinite" in flag else target
                yield plain(f"{name}.{to}.{of}", (of,), f"b{1 + FORMATS[to].exponent + FORMATS[to].mantissa}", expected, needs)
    for t, f in FORMATS.items():
        flags = [()] + ([("ftz",), ("sat",), ("ftz", "sat")] if t == "f32" else [("sat",)] if t != "bf16" else [])
        for mode in _MODES:
            for flag in flags:
                name = f"cvt.{mode}i" + "".join(f".{x}" for x in flag)
                yield plain(f"{name}.{t}.{t}", (t,), f"b{1 + f.exponent + f.mantissa}", _whole(f, mode, "ftz" in flag, "sat" in flag),
                            "sm_90" if t == "bf16" else "sm_80")  # fmt: skip


def _whole(f: Format, mode: str, ftz: bool, sat: bool):
    def expected(code: int) -> Answer:
        code = flushed(code, f) if ftz else code
        v = decoded(code, f)
        if v.fraction == NAN:
            return 0 if sat else NotANumber(f)
        whole = code if v.fraction == INFINITY else encoded(Fraction(rounded_integer(v.fraction, mode)), f, "rn", v.negative)
        return saturated(whole, f) if sat else whole

    return expected


def _packed() -> Iterator[Form]:
    for t in ("f16", "bf16"):
        f = FORMATS[t]
        for mode in ("rn", "rz"):
            for flag in ((), ("relu",), ("satfinite",), ("relu", "satfinite")):
                one = _number(F32, f, mode, relu="relu" in flag, finite="satfinite" in flag)
                name = f"cvt.{mode}" + "".join(f".{x}" for x in flag) + f".{t}x2.f32"
                yield plain(name, ("f32", "f32"), "b32", _two(one, 16), "sm_90" if "satfinite" in flag else "sm_80")
    for t, f in _NARROW:
        for relu in (False, True):
            name = "cvt.rn.satfinite" + (".relu" if relu else "")
            def code(x: int, of: Format, f=f, relu=relu) -> int:
                if of is F16:  # exactly the same number in f32
                    v = decoded(x, F16)
                    x = F32.nan if v.fraction == NAN else (
                        0x7F800000 | v.negative << 31 if v.fraction == INFINITY else encoded(v.fraction, F32, "rn", v.negative))  # fmt: skip
                narrow = eight(x, f)
                return 0 if relu and narrow & 0x80 else narrow

            yield plain(f"{name}.{t}x2.f32", ("f32", "f32"), "b16", lambda a, b, c=code: c(a, F32) << 8 | c(b, F32), "sm_89")
            yield plain(f"{name}.{t}x2.f16x2", ("f16x2",), "b16", lambda a, c=code: c(a >> 16, F16) << 8 | c(a & 0xFFFF, F16), "sm_89")
            def wide(x: int, f=f, relu=relu) -> int:
                half = widened(x, f)
                return 0 if relu and half & 0x8000 else half

            yield plain(f"cvt.rn{'.relu' if relu else ''}.f16x2.{t}x2", (f"{t}x2",), "b32", lambda a, w=wide: w(a >> 8) << 16 | w(a & 255), "sm_89")


def _two(one, width: int):
    def expected(a: int, b: int) -> int:
        high, low = (x.format.nan if isinstance(x, NotANumber) else x for x in (one(a), one(b)))
        return high << width | low

    return expected


def _tensor_float() -> Iterator[Form]:
    for mode, flags, target in (
        ("rna", (), "sm_80"), ("rna", ("satfinite",), "sm_90"), ("rn", (), "sm_90"), ("rz", (), "sm_90"),
        ("rn", ("relu",), "sm_90"), ("rz", ("relu",), "sm_90"),
    ):  # fmt: skip
        one = _number(F32, _TF32, mode, relu="relu" in flags, finite="satfinite" in flags)

        def expected(a: int, one=one, mode=mode, finite="satfinite" in flags) -> Answer:
            code = one(a)
            if not isinstance(code, NotANumber):
                return code << 13
            if mode != "rna":
                return F32.nan & _KEPT
            return (a & _KEPT) - (~_KEPT & 0xFFFFFFFF) - 1 if finite else a & _KEPT  # as infinities: .satfinite takes the number before

        yield plain(f"cvt.{mode}" + "".join(f".{x}" for x in flags) + ".tf32.f32", ("f32",), "b32", expected, target)


def forms() -> Iterator[Form]:
    yield from _between_integers()
    yield from _with_integers()
    yield from _between_floats()
    yield from _packed()
    yield from _tensor_float()


