# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Bits, shifts, logic and permutations of bytes: PTX ISA 9.7.1, 9.7.8, 9.7.9."""

from __future__ import annotations

from collections.abc import Iterator

from exact_results import permuted, signed, signed_field

from .form import Form, plain
from .integers import masked

_TABLES = (0x80, 0xFE, 0x96, 0xE8, 0xCA, 0x1E, 0x6A, 0x01)


def _fields() -> Iterator[Form]:
    for width in (32, 64):
        t, r, ones = f"i{width}", f"b{width}", (1 << width) - 1
        field = (t, "position", "position")
        yield plain(f"bfe.u{width}", field, r, masked(lambda a, b, c: (a >> (b & 255)) & ((1 << (c & 255)) - 1), width))
        yield plain(f"bfe.s{width}", field, r, masked(lambda a, b, c, w=width: signed_field(a, b & 255, c & 255, w), width))
        yield plain(f"bfi.b{width}", (t, t, "position", "position"), r, masked(_inserted, width))
        yield plain(f"brev.b{width}", (t,), r, lambda a, w=width: int(f"{a:0{w}b}"[::-1], 2))
        yield plain(f"clz.b{width}", (t,), "b32", lambda a, w=width: w - a.bit_length())
        yield plain(f"popc.b{width}", (t,), "b32", lambda a: bin(a).count("1"))
        for sign in "us":
            def found(a: int, s=sign, w=width, m=ones) -> int:
                return ((a if s == "u" or signed(a, w) >= 0 else ~a & m).bit_length() - 1) & 0xFFFFFFFF

            yield plain(f"bfind.{sign}{width}", (t,), "b32", found)
            yield plain(f"bfind.shiftamt.{sign}{width}", (t,), "b32",
                        lambda a, f=found, w=width: f(a) if f(a) == 0xFFFFFFFF else w - 1 - f(a))  # fmt: skip
    for mode in ("clamp", "wrap"):
        for sign in "us":
            yield plain(f"szext.{mode}.{sign}32", ("i32", "position"), "b32", masked(_extended(mode, sign), 32))
        yield plain(f"bmsk.{mode}.b32", ("position", "position"), "b32", masked(_mask(mode), 32))
    yield Form("fns.b32", "{ .reg .b32 %m; and.b32 %m, %b, 31; fns.b32 %d, %a, %m, %c; }", ("i32", "position", "i32"), ("b32",), expected=_nth)
    yield Form("fns.b32", "{ .reg .b32 %m, %n; and.b32 %m, %b, 31; and.b32 %n, %c, 7; sub.s32 %n, %n, 3; fns.b32 %d, %a, %m, %n; }",
               ("i32", "position", "i32"), ("b32",), variant="near", expected=lambda a, b, c: _nth(a, b, (c & 7) - 3 & 0xFFFFFFFF))  # fmt: skip


def _inserted(a: int, b: int, at: int, length: int) -> int:
    mask = ((1 << (length & 255)) - 1) << (at & 255)
    return (b & ~mask) | (a << (at & 255) & mask)


def _extended(mode: str, sign: str):
    def expected(a: int, n: int) -> int:
        n = n & 31 if mode == "wrap" else n
        if n == 0:
            return 0
        if n >= 32:
            return a
        return signed(a & ((1 << n) - 1), n) if sign == "s" else a & ((1 << n) - 1)

    return expected


def _mask(mode: str):
    def expected(a: int, b: int) -> int:
        if mode == "wrap":
            a, b = a & 31, b & 31
        return ((1 << min(b, 32)) - 1) << min(a, 32)

    return expected


def _nth(mask: int, base: int, offset: int) -> int:
    """The ISA's pseudo-code. Of -2^31, which has no magnitude there, a device makes 0."""
    base, n = base & 31, signed(offset, 32)
    if n == -(1 << 31):
        return 0
    if n == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step = 1 if n > 0 else -1
    left = abs(n)
    at = base
    while 0 <= at < 32:
        left -= mask >> at & 1
        if mask >> at & 1 and left == 0:
            return at
        at += step
    return 0xFFFFFFFF


def _logic() -> Iterator[Form]:
    for width in (16, 32, 64):
        t, r = f"i{width}", f"b{width}"
        for name, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
            yield plain(f"{name}.{r}", (t, t), r, f)
        yield plain(f"not.{r}", (t,), r, masked(lambda a: ~a, width))
        yield plain(f"cnot.{r}", (t,), r, lambda a: int(a == 0))
        yield plain(f"shl.{r}", (t, "shift"), r, masked(lambda a, b, w=width: a << min(b, w), width))
        for sign in "ub":
            yield plain(f"shr.{sign}{width}", (t, "shift"), r, lambda a, b: a >> b)
        yield plain(f"shr.s{width}", (t, "shift"), r, masked(lambda a, b, w=width: signed(a, w) >> min(b, w), width))
    for name, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        yield Form(f"{name}.pred", f"{{ .reg .pred %p, %q; setp.ne.b32 %p, %a, 0; setp.ne.b32 %q, %b, 0; {name}.pred %d, %p, %q; }}",
                   ("bit", "bit"), ("pred",), expected=f)  # fmt: skip
    yield Form("not.pred", "{ .reg .pred %p; setp.ne.b32 %p, %a, 0; not.pred %d, %p; }", ("bit",), ("pred",), expected=lambda a: 1 - a)


def _words() -> Iterator[Form]:
    three = ("i32",) * 3
    for direction in "lr":
        for mode in ("clamp", "wrap"):
            def expected(a, b, c, left=direction == "l", wraps=mode == "wrap"):
                by = c & 31 if wraps else min(c, 32)
                return ((b << 32 | a) << by >> 32 if left else (b << 32 | a) >> by) & 0xFFFFFFFF

            yield plain(f"shf.{direction}.{mode}.b32", ("i32", "i32", "shift"), "b32", expected)
    for table in _TABLES:
        def truth(a, b, c, table=table):
            return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))

        yield Form("lop3.b32", f"lop3.b32 %d, %a, %b, %c, {table:#x};", three, ("b32",), variant=f"{table:#04x}", expected=truth)
    for name, combine in (("or", lambda p, q: p | q), ("and", lambda p, q: p & q)):
        yield Form(f"lop3.{name}.b32",
                   f"{{ .reg .pred %q; setp.ne.b32 %q, %e, 0; lop3.{name}.b32 %d0|%d1, %a, %b, %c, 0x80, %q; }}",
                   ("i32", "i32", "i32", "bit"), ("b32", "pred"),
                   expected=lambda a, b, c, e, f=combine: (a & b & c, f(int(a & b & c != 0), e)))  # fmt: skip
    yield plain("prmt.b32", three, "b32", permuted)
    modes = {
        "f4e": lambda s: [s, s + 1, s + 2, s + 3], "b4e": lambda s: [s, s + 7, s + 6, s + 5], "rc8": lambda s: [s] * 4,
        "ecl": lambda s: [max(i, s) for i in range(4)], "ecr": lambda s: [min(i, s) for i in range(4)],
        "rc16": lambda s: [0, 1, 0, 1] if s % 2 == 0 else [2, 3, 2, 3],
    }  # fmt: skip
    for mode, places in modes.items():
        def chosen(a, b, c, places=places):
            data = (b << 32 | a).to_bytes(8, "little")
            return int.from_bytes(bytes(data[p % 8] for p in places(c & 3)), "little")

        yield plain(f"prmt.b32.{mode}", three, "b32", chosen)


def forms() -> Iterator[Form]:
    yield from _fields()
    yield from _logic()
    yield from _words()
