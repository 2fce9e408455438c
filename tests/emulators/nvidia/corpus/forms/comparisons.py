# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Comparison and selection: PTX ISA 9.7.6 and 9.7.7."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exact_results import FORMATS
from ieee import Format

from .exact import flushed, is_nan
from .form import Form, plain
from .integers import value

_SIGNED = ("eq", "ne", "lt", "le", "gt", "ge")
_UNSIGNED = (*_SIGNED, "lo", "ls", "hi", "hs")
_FLOATING = (*_SIGNED, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_SAME = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_ORDER = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
          "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}  # fmt: skip
_BOOLEAN = {"and": lambda p, q: p & q, "or": lambda p, q: p | q, "xor": lambda p, q: p ^ q}


def _integers(name: str, t: str) -> Callable[[int, int], int]:
    compare = _ORDER[_SAME.get(name, name)]
    return lambda a, b: int(compare(value(a, t), value(b, t)))


def _floats(name: str, f: Format, ftz: bool) -> Callable[[int, int], int]:
    def ordered(code: int) -> int:
        code = flushed(code, f) if ftz else code
        return -(code & (f.sign - 1)) if code & f.sign else code

    def expected(a: int, b: int) -> int:
        unordered = is_nan(a, f) or is_nan(b, f)
        if name in ("num", "nan"):
            return int(unordered == (name == "nan"))
        if unordered:
            return int(name.endswith("u"))
        return int(_ORDER[name[:2]](ordered(a), ordered(b)))

    return expected


def _types() -> Iterator[tuple[str, str, str, tuple[str, ...], str, Callable]]:
    """Modifiers in front of the type, type, kind of operand, comparisons, architecture, what they give."""
    for width in (16, 32, 64):
        yield "", f"b{width}", f"i{width}", ("eq", "ne"), "sm_80", lambda name, w=width: _integers(name, f"u{w}")
        yield "", f"u{width}", f"i{width}", _UNSIGNED, "sm_80", lambda name, w=width: _integers(name, f"u{w}")
        yield "", f"s{width}", f"i{width}", _SIGNED, "sm_80", lambda name, w=width: _integers(name, f"s{w}")
    for t, f in FORMATS.items():
        for ftz in (False, True) if t in ("f16", "f32") else (False,):
            target = "sm_90" if t == "bf16" else "sm_80"
            yield ".ftz" if ftz else "", t, t, _FLOATING, target, lambda name, f=f, z=ftz: _floats(name, f, z)


def _predicates() -> Iterator[Form]:
    for ftz, t, kind, names, target, expected in _types():
        for name in names:
            of = expected(name)
            yield Form(f"setp.{name}{ftz}.{t}", f"setp.{name}{ftz}.{t} %d, %a, %b;", (kind, kind), ("pred",), target, expected=of)
            if t in ("f16", "bf16"):
                halves = lambda a, b, of=of: (of(a & 0xFFFF, b & 0xFFFF), of(a >> 16, b >> 16))  # noqa: E731
                yield Form(f"setp.{name}{ftz}.{t}x2", f"setp.{name}{ftz}.{t}x2 %d0|%d1, %a, %b;", (f"{t}x2",) * 2, ("pred", "pred"),
                           target, expected=halves)  # fmt: skip
    for t, kind, of in (("s32", "i32", _integers("lt", "s32")), ("u64", "i64", _integers("lt", "u64")), ("b16", "i16", _integers("eq", "u16")),
                        ("f32", "f32", _floats("lt", FORMATS["f32"], False)), ("f64", "f64", _floats("lt", FORMATS["f64"], False)),
                        ("f16", "f16", _floats("lt", FORMATS["f16"], False))):  # fmt: skip
        name = "eq" if t == "b16" else "lt"
        for combine, boolean in _BOOLEAN.items():
            for q in ("%q", "!%q"):
                def both(a, b, c, of=of, boolean=boolean, inverted=q[0] == "!"):
                    holds, other = of(a, b), c ^ inverted
                    return boolean(holds, other), boolean(1 - holds, other)

                second = "%d0|%d1" if t != "f16" else "%d0"
                both_or_one = both if t != "f16" else lambda a, b, c, both=both: both(a, b, c)[:1]
                results = ("pred", "pred") if t != "f16" else ("pred",)
                body = f"{{ .reg .pred %q; setp.ne.b32 %q, %c, 0; setp.{name}.{combine}.{t} {second}, %a, %b, {q}; }}"
                yield Form(f"setp.{name}.{combine}.{t}", body.replace("%d0", "%d") if t == "f16" else body, (kind, kind, "bit"), results,
                           variant="inverted predicate" if q[0] == "!" else "", expected=both_or_one)  # fmt: skip


def _values() -> Iterator[Form]:
    """set: all ones or one where the comparison holds."""
    for ftz, t, kind, names, target, expected in _types():
        if t in ("f16", "bf16"):
            continue
        for to, one in (("u32", 0xFFFFFFFF), ("s32", 0xFFFFFFFF), ("f32", 0x3F800000)):
            if to == "s32" and t[0] != "s":
                continue
            for name in names:
                yield plain(f"set.{name}{ftz}.{to}.{t}", (kind, kind), "b32", lambda a, b, of=expected(name), one=one: of(a, b) * one, target)
    for ftz, t, kind, names, target, expected in _types():
        if t not in ("f16", "bf16"):
            continue
        one = FORMATS[t].bias << FORMATS[t].mantissa
        for name in names:
            of = expected(name)
            yield plain(f"set.{name}{ftz}.{t}.{t}", (t, t), "b16", lambda a, b, of=of, one=one: of(a, b) * one, target)
            yield plain(f"set.{name}{ftz}.u32.{t}", (t, t), "b32", lambda a, b, of=of: of(a, b) * 0xFFFFFFFF, target)
            yield plain(f"set.{name}{ftz}.u16.{t}", (t, t), "b16", lambda a, b, of=of: of(a, b) * 0xFFFF, target)
            for to, whole in ((f"{t}x2", one), ("u32", 0xFFFF)):
                yield plain(f"set.{name}{ftz}.{to}.{t}x2", (f"{t}x2",) * 2, "b32", lambda a, b, of=of, one=whole: (
                    of(a & 0xFFFF, b & 0xFFFF) * one | of(a >> 16, b >> 16) * one << 16), target)  # fmt: skip
    for combine, boolean in _BOOLEAN.items():
        of = _floats("gt", FORMATS["f32"], False)
        yield Form(f"set.gt.{combine}.u32.f32", f"{{ .reg .pred %q; setp.ne.b32 %q, %c, 0; set.gt.{combine}.u32.f32 %d, %a, %b, %q; }}",
                   ("f32", "f32", "bit"), ("b32",), expected=lambda a, b, c, f=boolean, of=of: f(of(a, b), c) * 0xFFFFFFFF)  # fmt: skip


def _selections() -> Iterator[Form]:
    for width in (16, 32, 64):
        for t in (f"b{width}", f"u{width}", f"s{width}") + ((f"f{width}",) if width > 16 else ()):
            kind = f"i{width}"
            yield Form(f"selp.{t}", f"{{ .reg .pred %q; setp.ne.b32 %q, %c, 0; selp.{t} %d, %a, %b, %q; }}", (kind, kind, "bit"),
                       (f"b{width}",), expected=lambda a, b, c: a if c else b)  # fmt: skip
            yield plain(f"slct.{t}.s32", (kind, kind, "i32"), f"b{width}", lambda a, b, c: b if c >> 31 else a)
            for ftz in (False, True):
                def chosen(a: int, b: int, c: int, ftz=ftz) -> int:
                    c = flushed(c, FORMATS["f32"]) if ftz else c
                    negative = c >> 31 == 1 and c & 0x7FFFFFFF != 0
                    return b if negative or is_nan(c, FORMATS["f32"]) else a

                yield plain(f"slct{'.ftz' if ftz else ''}.{t}.f32", (kind, kind, "f32"), f"b{width}", chosen)


def forms() -> Iterator[Form]:
    yield from _predicates()
    yield from _values()
    yield from _selections()
