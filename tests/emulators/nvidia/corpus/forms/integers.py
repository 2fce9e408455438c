# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic: PTX ISA 9.7.1 and 9.7.2."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from exact_results import clamp, signed, truncated

from .form import Form, plain

_WIDTHS = (16, 32, 64)


def value(x: int, t: str) -> int:
    return signed(x, int(t[1:])) if t[0] == "s" else x


def masked(expected, width: int):
    return lambda *x: expected(*x) & ((1 << width) - 1)


def _saturated(x: int) -> int:
    return clamp(x, -(1 << 31), (1 << 31) - 1)


def _binary() -> Iterator[Form]:
    for width in _WIDTHS:
        kind, result = f"i{width}", f"b{width}"
        for sign in "us":
            t = f"{sign}{width}"

            def v(x, t=t):
                return value(x, t)

            table = {
                "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul.lo": lambda a, b: a * b,
                "mul.hi": lambda a, b, v=v, w=width: v(a) * v(b) >> w,
                "min": lambda a, b, v=v: min(v(a), v(b)), "max": lambda a, b, v=v: max(v(a), v(b)),
                "div": lambda a, b, v=v: truncated(v(a), v(b))[0], "rem": lambda a, b, v=v: truncated(v(a), v(b))[1],
            }  # fmt: skip
            for name, expected in table.items():
                yield plain(f"{name}.{t}", (kind, kind), result, masked(expected, width))
            yield plain(f"sad.{t}", (kind,) * 3, result, masked(lambda a, b, c, v=v: abs(v(a) - v(b)) + c, width))
            yield plain(f"mad.lo.{t}", (kind,) * 3, result, masked(lambda a, b, c: a * b + c, width))
            yield plain(f"mad.hi.{t}", (kind,) * 3, result, masked(lambda a, b, c, v=v, w=width: (v(a) * v(b) >> w) + c, width))
            if width < 64:
                wide = 2 * width
                yield plain(f"mul.wide.{t}", (kind, kind), f"b{wide}", masked(lambda a, b, v=v: v(a) * v(b), wide))
                yield plain(f"mad.wide.{t}", (kind, kind, f"i{wide}"), f"b{wide}", masked(lambda a, b, c, v=v: v(a) * v(b) + c, wide))
        yield plain(f"abs.s{width}", (kind,), result, masked(lambda a, w=width: abs(signed(a, w)), width))
        yield plain(f"neg.s{width}", (kind,), result, masked(lambda a: -a, width))


def _words() -> Iterator[Form]:
    two, three, s = ("i32", "i32"), ("i32",) * 3, lambda x: signed(x, 32)
    yield plain("add.sat.s32", two, "b32", masked(lambda a, b: _saturated(s(a) + s(b)), 32))
    yield plain("sub.sat.s32", two, "b32", masked(lambda a, b: _saturated(s(a) - s(b)), 32))
    yield plain("mad.hi.sat.s32", three, "b32", masked(lambda a, b, c: _saturated((s(a) * s(b) >> 32) + s(c)), 32))
    for t in ("u32", "s32"):

        def low(x: int, t=t) -> int:
            return value(x & 0xFFFFFF, t[0] + "24")

        for half, shift in (("lo", 0), ("hi", 16)):
            yield plain(f"mul24.{half}.{t}", two, "b32", masked(lambda a, b, low=low, by=shift: low(a) * low(b) >> by, 32))
            yield plain(f"mad24.{half}.{t}", three, "b32", masked(lambda a, b, c, low=low, by=shift: (low(a) * low(b) >> by) + c, 32))
    yield plain("mad24.hi.sat.s32", three, "b32", masked(
        lambda a, b, c: _saturated((signed(a & 0xFFFFFF, 24) * signed(b & 0xFFFFFF, 24) >> 16) + s(c)), 32))  # fmt: skip
    for a_type in ("u32", "s32"):
        for b_type in ("u32", "s32"):
            yield plain(f"dp4a.{a_type}.{b_type}", ("bytes", "bytes", "i32"), "b32", masked(_dot(4, a_type, b_type, 0), 32))
            for half, offset in (("lo", 0), ("hi", 2)):
                yield plain(f"dp2a.{half}.{a_type}.{b_type}", ("bytes", "bytes", "i32"), "b32", masked(_dot(2, a_type, b_type, offset), 32))


def _dot(count: int, a_type: str, b_type: str, offset: int):
    each = 32 // count

    def expected(a: int, b: int, c: int) -> int:
        return c + sum(
            value(a >> each * i & ((1 << each) - 1), f"{a_type[0]}{each}") * value(b >> 8 * (i + offset) & 255, f"{b_type[0]}8")
            for i in range(count)
        )

    return expected


def _pairs() -> Iterator[Form]:
    """Two 16-bit integers of a register: sm_90."""

    def each(f):
        return lambda *x: sum((f(*(v >> 16 * i & 0xFFFF for v in x)) & 0xFFFF) << 16 * i for i in range(2))

    for t in ("u16", "s16"):

        def v(x, t=t):
            return value(x, t)

        for name, f in (("add", lambda a, b: a + b), ("min", lambda a, b, v=v: min(v(a), v(b))), ("max", lambda a, b, v=v: max(v(a), v(b)))):
            yield plain(f"{name}.{t}x2", ("i16x2", "i16x2"), "b32", each(f), "sm_90")
            if name != "add" and t == "s16":
                relu = each(lambda a, b, f=f: max(f(a, b), 0))
                yield plain(f"{name}.relu.s16x2", ("i16x2", "i16x2"), "b32", relu, "sm_90")
                word = lambda a, b, f=(min if name == "min" else max): max(f(signed(a, 32), signed(b, 32)), 0)  # noqa: E731
                yield plain(f"{name}.relu.s32", ("i32", "i32"), "b32", masked(word, 32), "sm_90")


def _extended() -> Iterator[Form]:
    """The carry goes from one instruction to the next, and is read by a third one."""
    for width in (32, 64):
        for t in (f"u{width}", f"s{width}"):
            kind, r, ones = f"i{width}", f"b{width}", (1 << width) - 1
            for name, carry in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b)):
                def expected(a, b, c, f=carry, w=width, m=ones, minus=name == "sub"):
                    first = f(a, b)
                    second = f(a, c) + (first >> w) if not minus else f(a, c) - (first < 0)
                    third = (second >> w) & 1 if not minus else int(second < 0)
                    return first & m, second & m, (third if not minus else -third) & m

                yield Form(f"{name}.cc.{t}, {name}c.cc.{t}, {name}c.{t}",
                           f"{name}.cc.{t} %d0, %a, %b; {name}c.cc.{t} %d1, %a, %c; {name}c.{t} %d2, 0, 0;",
                           (kind,) * 3, (r,) * 3, expected=expected)  # fmt: skip

            def product(a, b, c, t=t, w=width, m=ones):
                whole = value(a, t) * value(b, t)
                first = (whole & m) + c
                second = (whole >> w & m) + c + (first >> w)
                return first & m, second & m, second >> w

            yield Form(f"mad.lo.cc.{t}, madc.hi.cc.{t}, madc.lo.{t}",
                       f"mad.lo.cc.{t} %d0, %a, %b, %c; madc.hi.cc.{t} %d1, %a, %b, %c; madc.lo.{t} %d2, 0, 0, 0;",
                       (kind,) * 3, (r,) * 3, expected=product)  # fmt: skip


def carry_forms() -> Iterator[Form]:
    """Carries of sums that differences read, and the other way round: one is 1 where nothing was borrowed (nvcc's division of
    128-bit integers adds it, and an H200 says so), whatever the ISA calls it."""
    for width in (32, 64):
        kind, r, t, ones = f"i{width}", f"b{width}", f"u{width}", (1 << width) - 1
        for names in itertools.product(("add", "sub"), repeat=3):
            if len(set(names)) == 1:
                continue  # _extended() has these

            def expected(a, b, c, names=names, w=width, m=ones):
                first, second, third = names
                d0 = a + b if first == "add" else a + (b ^ m) + 1
                d1 = (a + c if second == "add" else a + (c ^ m)) + (d0 >> w)
                d2 = (0 if third == "add" else m) + (d1 >> w)
                return d0 & m, d1 & m, d2 & m

            first, second, third = names
            yield Form(f"{first}.cc.{t}, {second}c.cc.{t}, {third}c.{t}",
                       f"{first}.cc.{t} %d0, %a, %b; {second}c.cc.{t} %d1, %a, %c; {third}c.{t} %d2, 0, 0;",
                       (kind,) * 3, (r,) * 3, expected=expected)  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _binary()
    yield from _words()
    yield from _pairs()
    yield from _extended()
