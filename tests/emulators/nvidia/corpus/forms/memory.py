# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of narrow types and vectors, and registers taken apart and put together: PTX ISA 9.7.9, 9.4.1."""

from __future__ import annotations

from collections.abc import Iterator

from exact_results import signed

from .form import Form

_PLACES = {"global": "%scratch", "shared": "%cell"}


def _loaded(t: str, begin: int, width: int):
    bits = int(t[1:])

    def expected(a: int) -> int:
        part = a >> 8 * begin & ((1 << bits) - 1)
        return (signed(part, bits) if t[0] == "s" else part) & ((1 << width) - 1)

    return expected


def _loads() -> Iterator[Form]:
    """Into registers that are wider than the type: by its sign, or by zeros."""
    for space, at in _PLACES.items():
        for t in ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32"):
            for width in (16, 32, 64):
                if width < int(t[1:]):
                    continue
                begin = int(t[1:]) // 8  # the second one
                yield Form(f"ld.{space}.{t}", f"st.{space}.b64 [{at}], %a; ld.{space}.{t} %d, [{at}+{begin}];", ("i64",), (f"b{width}",),
                           variant=f"into {width} bits", expected=_loaded(t, begin, width))  # fmt: skip
        for count, width in ((2, 16), (2, 32), (2, 64), (4, 16), (4, 32)):
            out = ", ".join(f"%d{i}" for i in range(count))

            def parts(a: int, b: int, count=count, width=width) -> tuple:
                return tuple((b << 64 | a) >> width * i & ((1 << width) - 1) for i in range(count))

            yield Form(f"ld.{space}.v{count}.b{width}", f"st.{space}.v2.b64 [{at}], {{%a, %b}}; ld.{space}.v{count}.b{width} {{{out}}}, [{at}];",
                       ("i64", "i64"), (f"b{width}",) * count, expected=parts)  # fmt: skip


def _stores() -> Iterator[Form]:
    """Of registers that are wider than the type: their low bits."""
    for space, at in _PLACES.items():
        for bits in (8, 16, 32):
            def stored(a: int, b: int, bits=bits) -> int:
                mask = (1 << bits) - 1
                return a & ~(mask << bits) | (b & mask) << bits

            yield Form(f"st.{space}.b{bits}", f"st.{space}.b64 [{at}], %a; st.{space}.b{bits} [{at}+{bits // 8}], %b; ld.{space}.b64 %d, [{at}];",
                       ("i64", "i64"), ("b64",), expected=stored)  # fmt: skip


def _moves() -> Iterator[Form]:
    for whole, count in ((32, 2), (64, 2), (64, 4)):
        each = whole // count
        names = "abce"[:count]
        yield Form(f"mov.b{whole}", f"mov.b{whole} %d, {{{', '.join('%' + n for n in names)}}};", (f"i{each}",) * count, (f"b{whole}",),
                   variant=f"of {count} parts", expected=lambda *x, w=each: sum(v << w * i for i, v in enumerate(x)))  # fmt: skip
        out = ", ".join(f"%d{i}" for i in range(count))
        yield Form(f"mov.b{whole}", f"mov.b{whole} {{{out}}}, %a;", (f"i{whole}",), (f"b{each}",) * count, variant=f"into {count} parts",
                   expected=lambda a, w=each, n=count: tuple(a >> w * i & ((1 << w) - 1) for i in range(n)))  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _loads()
    yield from _stores()
    yield from _moves()
