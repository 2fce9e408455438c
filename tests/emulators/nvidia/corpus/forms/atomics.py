# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Atomic operations, each lane on memory of its own, and a warp's lanes on the same: PTX ISA 9.7.13.5 (atom), 9.7.13.6 (red)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exact_results import signed
from ieee import BF16, F16, F32, F64

from .exact import arithmetic, modified, paired
from .form import Form

_PLACES = {"global": "%scratch", "shared": "%cell"}


def _sum(f, flushes: bool = False):
    return modified(arithmetic("add", f, "rn"), f, ftz=flushes)


def operations(space: str) -> Iterator[tuple[str, str, str, Callable, str]]:
    """Operation, type, kind of operand, what memory holds afterwards, architecture."""
    for t in ("u32", "s32", "u64", "s64"):
        width = int(t[1:])
        kind, mask = f"i{width}", (1 << width) - 1

        def order(x: int, t=t, width=width) -> int:
            return signed(x, width) if t[0] == "s" else x

        if t != "s64":
            yield "add", t, kind, lambda a, b, m=mask: a + b & m, "sm_80"
        yield "min", t, kind, lambda a, b, o=order: min(a, b, key=o), "sm_80"
        yield "max", t, kind, lambda a, b, o=order: max(a, b, key=o), "sm_80"
    for width in (32, 64):
        for name, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
            yield name, f"b{width}", f"i{width}", f, "sm_80"
        yield "exch", f"b{width}", f"i{width}", lambda a, b: b, "sm_80"
    yield "inc", "u32", "i32", lambda a, b: 0 if a >= b else a + 1, "sm_80"
    yield "dec", "u32", "i32", lambda a, b: b if a == 0 or a > b else a - 1, "sm_80"
    # In global memory f32 sums are flushed, in shared memory they are not (9.7.13.5).
    yield "add", "f32", "f32", _sum(F32, space == "global"), "sm_80"
    yield "add", "f64", "f64", _sum(F64), "sm_80"
    yield "add.noftz", "f16", "f16", _sum(F16), "sm_80"
    yield "add.noftz", "f16x2", "f16x2", paired(_sum(F16)), "sm_80"
    yield "add.noftz", "bf16", "bf16", _sum(BF16), "sm_90"
    yield "add.noftz", "bf16x2", "bf16x2", paired(_sum(BF16)), "sm_90"


def width_of(kind: str) -> str:
    return {"f16": "b16", "bf16": "b16", "i64": "b64", "f64": "b64"}.get(kind, "b32")


def _own() -> Iterator[Form]:
    for space, at in _PLACES.items():
        for operation, t, kind, f, target in operations(space):
            b = width_of(kind)
            yield Form(f"atom.{space}.{operation}.{t}",
                       f"st.{space}.{b} [{at}], %a; atom.{space}.{operation}.{t} %d0, [{at}], %b; ld.{space}.{b} %d1, [{at}];",
                       (kind, kind), (b, b), target, expected=lambda a, b, f=f: (a, f(a, b)))  # fmt: skip
            if operation != "exch":
                yield Form(f"red.{space}.{operation}.{t}",
                           f"st.{space}.{b} [{at}], %a; red.{space}.{operation}.{t} [{at}], %b; ld.{space}.{b} %d, [{at}];",
                           (kind, kind), (b,), target, expected=f)  # fmt: skip
        for width in (16, 32, 64):
            t, kind = f"b{width}", f"i{width}"
            for comparand, variant in (("%b", ""), ("%a", "equal")):
                def swapped(a: int, b: int, c: int, equal=comparand == "%a") -> tuple:
                    return a, c if equal or a == b else a

                yield Form(f"atom.{space}.cas.{t}",
                           f"st.{space}.{t} [{at}], %a; atom.{space}.cas.{t} %d0, [{at}], {comparand}, %c; ld.{space}.{t} %d1, [{at}];",
                           (kind,) * 3, (t, t), variant=variant, expected=swapped)  # fmt: skip


def _wide() -> Iterator[Form]:
    for space, at in _PLACES.items():
        begin = f"{{ .reg .b128 %x, %y, %z; st.{space}.v2.b64 [{at}], {{%a, %b}}; mov.b128 %x, {{%c, %e}}; "
        end = f" mov.b128 {{%d0, %d1}}, %y; ld.{space}.v2.b64 {{%d2, %d3}}, [{at}]; }}"
        four = ("i64",) * 4
        yield Form(f"atom.{space}.exch.b128", f"{begin}atom.{space}.exch.b128 %y, [{at}], %x;{end}", four, ("b64",) * 4, "sm_90",
                   expected=lambda a, b, c, e: (a, b, c, e))  # fmt: skip
        for variant, comparand in (("", "%c, %b"), ("equal", "%a, %b")):
            def swapped(a, b, c, e, equal=variant == "equal"):
                return (a, b, c, e) if equal or a == c else (a, b, a, b)

            yield Form(f"atom.{space}.cas.b128", f"{begin}mov.b128 %z, {{{comparand}}}; atom.{space}.cas.b128 %y, [{at}], %z, %x;{end}",
                       four, ("b64",) * 4, "sm_90", variant=variant, expected=swapped)  # fmt: skip


def _vectors() -> Iterator[Form]:
    """atom.global.add of vectors: sm_90."""
    at = _PLACES["global"]
    flushed, half, pair = _sum(F32, True), _sum(F16), paired(_sum(BF16))
    for t, kind, f, width in (("f32", "f32", flushed, 32), ("f16", "f16", half, 16), ("bf16x2", "bf16x2", pair, 32)):
        b, noftz = f"b{width}", "" if t == "f32" else ".noftz"
        body = (f"st.global.v2.{b} [{at}], {{%a, %b}}; atom.global.v2.{t}.add{noftz} {{%d0, %d1}}, [{at}], {{%c, %e}}; "
                f"ld.global.v2.{b} {{%d2, %d3}}, [{at}];")  # fmt: skip
        yield Form(f"atom.global.v2.{t}.add{noftz}", body.replace(f"v2.{t}.add{noftz}", f"add{noftz}.v2.{t}"), (kind,) * 4, (b,) * 4, "sm_90",
                   expected=lambda a, b, c, e, f=f: (a, b, f(a, c), f(b, e)))  # fmt: skip


def _shared_by_lanes() -> Iterator[Form]:
    """All lanes of a warp on one word, of operations whose order does not matter."""
    for space, at in _PLACES.items():
        for operation, t, kind, f, target in operations(space):
            if kind != "i32" or operation in ("inc", "dec", "exch"):
                continue
            wide = "b64" if space == "global" else "b32"
            begin = f"{{ .reg .pred %q; .reg .b32 %l; .reg .{wide} %p, %o; and.b32 %l, %i, 31; setp.eq.b32 %q, %l, 0; "
            offset = f"mul.wide.u32 %o, %l, 16; sub.u64 %p, {at}, %o; " if space == "global" else f"shl.b32 %o, %l, 4; sub.u32 %p, {at}, %o; "
            body = (f"{begin}{offset}@%q st.{space}.b32 [%p], %a; bar.warp.sync 0xffffffff; red.{space}.{operation}.{t} [%p], %b; "
                    f"bar.warp.sync 0xffffffff; ld.{space}.b32 %d, [%p]; bar.warp.sync 0xffffffff; }}")  # fmt: skip

            def folded(rows: list[tuple], f=f) -> list[tuple]:
                total = rows[0][0]
                for _, b in rows:
                    total = f(total, b)
                return [(total,)] * len(rows)

            yield Form(f"red.{space}.{operation}.{t}", body, ("i32", "i32"), ("b32",), variant="a warp on one word", domain="warp",
                       together=32, expected=folded)  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _own()
    yield from _wide()
    yield from _vectors()
    yield from _shared_by_lanes()
