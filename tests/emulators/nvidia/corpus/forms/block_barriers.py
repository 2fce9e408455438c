# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Barriers of a block's threads: PTX ISA 9.7.13.1 (bar, barrier), 9.7.13.2 (bar.warp.sync). A lane finds what another one wrote before
it arrived; reductions are over those that take part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .form import Form

_LANES = 128
_FURTHER = 37  # whose cell a lane reads
_ALL = "bar.sync 0;"
_PUT = "st.shared.b32 [%cell], %a;"


def _read(from_: str) -> str:
    """Of the lane in %n."""
    return f"{from_} shl.b32 %h, %i, 4; sub.u32 %h, %cell, %h; mad.lo.u32 %h, %n, 16, %h; ld.shared.b32 %d, [%h];"


def _form(name: str, body: str, results: tuple[str, ...], f: Callable[[list[tuple], int], object], variant: str = "") -> Form:
    def expected(rows: list[tuple]) -> list[tuple]:
        answers = (f(rows, lane) for lane in range(_LANES))
        return [a if isinstance(a, tuple) else (a,) for a in answers]

    text = f"{{ .reg .b32 %n, %h, %w; .reg .pred %p, %q; {_ALL} {body} }}"
    return Form(name, text, ("i32",), results, variant=variant, domain="cluster", expected=expected, together=_LANES)


def _syncs() -> Iterator[Form]:
    further = f"add.u32 %n, %i, {_FURTHER}; and.b32 %n, %n, {_LANES - 1};"
    for name in ("bar.sync", "bar.cta.sync", "barrier.sync", "barrier.sync.aligned", "barrier.cta.sync"):
        for operands in ("0", "15", "7, 128"):
            yield _form(name, f"{_PUT} {name} {operands}; {_read(further)}", ("b32",), lambda rows, lane: rows[(lane + _FURTHER) % _LANES][0], operands)
        # Each half of the block by itself; a barrier's number, and how many arrive, may be registers.
        half = "and.b32 %h, %i, 64; xor.b32 %n, %i, 33; shr.u32 %w, %i, 6; add.u32 %w, %w, 3; mov.u32 %h, 64;"
        yield _form(name, f"{half} {_PUT} {name} %w, %h; {_read('')}", ("b32",), lambda rows, lane: rows[lane ^ 33][0], "two of 64 threads")
    for mask, other in (("0xffffffff", 13), ("%w", 3)):
        own = "mov.u32 %w, 0xf; and.b32 %h, %i, 28; shl.b32 %w, %w, %h; "
        yield _form("bar.warp.sync", f"{own}{_PUT} bar.warp.sync {mask}; {_read(f'xor.b32 %n, %i, {other};')}", ("b32",),
                    lambda rows, lane, other=other: rows[lane ^ other][0], "a warp" if other == 13 else "four lanes")  # fmt: skip


def _arrivals() -> Iterator[Form]:
    """Two warps write and go on, two wait for them; then the other way round."""
    for prefix in ("bar", "bar.cta", "barrier", "barrier.cta"):
        for aligned in ("", ".aligned") if prefix.startswith("barrier") else ("",):
            arrive, sync = f"{prefix}.arrive{aligned}", f"{prefix}.sync{aligned}"
            text = f"setp.lt.u32 %p, %i, 64; xor.b32 %n, %i, 64; @!%p bra FIRST; {_PUT} {arrive} 1, 128; bra SECOND;\n"
            text += f"FIRST: {sync} 1, 128; {_read('')} {_PUT} {arrive} 2, 128; bra DONE;\nSECOND: {sync} 2, 128; {_read('')}\nDONE: {_ALL}"
            yield _form(f"{arrive}, {sync}", text, ("b32",), lambda rows, lane: rows[lane ^ 64][0])


def _reductions() -> Iterator[Form]:
    half = "shr.u32 %w, %i, 6; add.u32 %w, %w, 5; "
    for prefix in ("bar.red", "bar.cta.red", "barrier.red", "barrier.red.aligned", "barrier.cta.red"):
        for who, operands, size in (("", "0", _LANES), ("", "4, 128", _LANES), (half, "%w, 64", 64)):
            for negated in ("", "!"):
                def counted(rows: list[tuple], lane: int, size=size, negated=negated) -> int:
                    ones = sum(row[0] & 1 for row in rows[lane // size * size :][:size])
                    return size - ones if negated else ones

                text = f"{who}and.b32 %n, %a, 1; setp.ne.u32 %p, %n, 0; {prefix}.popc.u32 %d, {operands}, {negated}%p;"
                yield _form(f"{prefix}.popc.u32", text, ("b32",), counted, f"{negated}p, {'two of 64' if who else operands}")
            for operation, combined in (("and", all), ("or", any)):
                # Of six bits each: about one of three such predicates holds in all of 64 lanes, or in none.
                def of_bits(rows: list[tuple], lane: int, size=size, combined=combined, zero=operation == "or") -> tuple[int, ...]:
                    part = rows[lane // size * size :][:size]
                    return tuple(int(combined((row[0] >> at & 63 == 0) == zero for row in part)) for at in (0, 6, 12, 18, 24))

                test = "eq" if operation == "or" else "ne"
                text = who + "".join(f"shr.u32 %n, %a, {at}; and.b32 %n, %n, 63; setp.{test}.u32 %p, %n, 0; {prefix}.{operation}.pred %d{i}, {operands}, %p; "
                                     for i, at in enumerate((0, 6, 12, 18, 24)))  # fmt: skip
                yield _form(f"{prefix}.{operation}.pred", text, ("pred",) * 5, of_bits, "two of 64" if who else operands)


def forms() -> Iterator[Form]:
    yield from _syncs()
    yield from _arrivals()
    yield from _reductions()
