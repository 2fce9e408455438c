# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What lanes of a warp do together: PTX ISA 9.7.9.6 (shfl), 9.7.13 (vote, match, redux, activemask, elect)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exact_results import signed

from .form import ANYTHING, Form, Including

_LANES = range(32)
_FULL, _EVEN, _UPPER = 0xFFFFFFFF, 0x55555555, 0xFFFF0000
_MASKS = {"all lanes": _FULL, "even lanes": _EVEN, "upper lanes": _UPPER}


def _guarded(instruction: str, results: int, mask: int) -> str:
    """The lanes of the mask alone execute it; the others' results are zero."""
    if mask == _FULL:
        return instruction
    zeros = "".join(f"mov.b32 %d{i if results > 1 else ''}, 0; " for i in range(results))
    return (f"{{ .reg .pred %in; .reg .b32 %l, %m; and.b32 %l, %i, 31; shr.u32 %m, {mask:#x}, %l; and.b32 %m, %m, 1; "
            f"setp.ne.b32 %in, %m, 0; {zeros}@%in {instruction} }}")  # fmt: skip


def _of_mask(mask: int, f: Callable[[list[tuple], int], tuple], zero: tuple):
    """What f gives each lane of the mask, of all lanes' operands and its number."""
    return lambda rows: [f(rows, lane) if mask >> lane & 1 else zero for lane in _LANES]


def _shuffled(how: str, c: int, mask: int):
    """The ISA's pseudo-code; a source outside of the mask leaves the result open."""

    def expected(rows: list[tuple], lane: int) -> tuple:
        b = rows[lane][1] & 31
        segment, clamp = c >> 8 & 31, c & 31
        low = lane & segment
        high = low | (clamp & ~segment)
        source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": low | (b & ~segment)}[how]
        inside = source >= high if how == "up" else source <= high
        source = source if inside else lane
        return (rows[source][0] if mask >> source & 1 else ANYTHING, int(inside))

    return _of_mask(mask, expected, (0, 0))


def _shuffles() -> Iterator[Form]:
    for how in ("up", "down", "bfly", "idx"):
        clamps = (0x1F, 0x181F, 0x101F, 0x1C1F, 0x0F)
        for c in dict.fromkeys(clamp & 0x1F00 if how == "up" else clamp for clamp in clamps):
            yield Form(f"shfl.sync.{how}.b32", f"shfl.sync.{how}.b32 %d0|%d1, %a, %b, {c:#x}, {_FULL:#x};", ("i32", "i32"),
                       ("b32", "pred"), variant=f"c = {c:#x}", domain="warp", together=32, expected=_shuffled(how, c, _FULL))  # fmt: skip
        c = 0 if how == "up" else 0x1F
        body = f"{{ .reg .pred %q; shfl.sync.{how}.b32 %d0|%q, %a, %b, {c:#x}, {_EVEN:#x}; selp.u32 %d1, 1, 0, %q; }}"
        yield Form(f"shfl.sync.{how}.b32", _guarded_block(body), ("i32", "i32"), ("b32", "b32"), variant="even lanes",
                   domain="warp", together=32, expected=_shuffled(how, c, _EVEN))  # fmt: skip


def _guarded_block(block: str) -> str:
    """A block that the even lanes alone enter, by a branch around it."""
    return ("{ .reg .pred %odd; .reg .b32 %l; and.b32 %l, %i, 1; setp.ne.b32 %odd, %l, 0; mov.b32 %d0, 0; mov.b32 %d1, 0; "
            f"@%odd bra JOIN; {block} JOIN: bar.warp.sync {_FULL:#x}; }}")  # fmt: skip


def _votes() -> Iterator[Form]:
    def holds(row: tuple, inverted: bool) -> bool:
        return (row[0] < row[1]) != inverted

    for mask_name, mask in _MASKS.items():
        for inverted in (False, True):
            of = "!%q" if inverted else "%q"
            compare = "{ .reg .pred %q, %r; setp.lt.u32 %q, %a, %b; "
            variant = mask_name + (", inverted" if inverted else "")

            def ballot(rows, lane, mask=mask, inverted=inverted):
                return (sum(holds(rows[i], inverted) << i for i in _LANES if mask >> i & 1),)

            def votes(how, ballot=ballot, mask=mask):
                def expected(rows, lane):
                    n = ballot(rows, lane)[0]
                    return (int({"all": n == mask, "any": n != 0, "uni": n in (0, mask)}[how]),)

                return expected

            body = compare + _guarded(f"vote.sync.ballot.b32 %d, {of}, {mask:#x};", 1, mask) + " }"
            yield Form("vote.sync.ballot.b32", body, ("i32", "i32"), ("b32",), variant=variant, domain="warp", together=32,
                       expected=_of_mask(mask, ballot, (0,)))  # fmt: skip
            for how in ("all", "any", "uni"):
                vote = f"{compare}setp.ne.b32 %r, 0, 0; " + _guarded(f"vote.sync.{how}.pred %r, {of}, {mask:#x};", 0, mask)
                yield Form(f"vote.sync.{how}.pred", vote + " selp.u32 %d, 1, 0, %r; }", ("i32", "i32"), ("b32",), variant=variant,
                           domain="warp", together=32, expected=_of_mask(mask, votes(how), (0,)))  # fmt: skip


def _matches() -> Iterator[Form]:
    for mask_name, mask in _MASKS.items():
        for width in (32, 64):
            def same(rows, lane, mask=mask):
                return (sum((rows[i][0] == rows[lane][0]) << i for i in _LANES if mask >> i & 1),)

            def all_same(rows, lane, mask=mask, same=same):
                found = same(rows, lane)[0] == mask
                return (mask if found else 0, int(found))

            t = f"b{width}"
            yield Form(f"match.any.sync.{t}", _guarded(f"match.any.sync.{t} %d, %a, {mask:#x};", 1, mask), (f"i{width}",), ("b32",),
                       variant=mask_name, domain="warp", together=32, expected=_of_mask(mask, same, (0,)))  # fmt: skip
            for value in ("%a", "%s"):  # of each lane's own, and of one that all share
                body = f"{{ .reg .pred %r; .reg .{t} %s; mov.{t} %s, 7; setp.ne.b32 %r, 0, 0; mov.b32 %d0, 0; "
                body += _guarded(f"match.all.sync.{t} %d0|%r, {value}, {mask:#x};", 0, mask) + " selp.u32 %d1, 1, 0, %r; }"
                expected = _of_mask(mask, all_same, (0, 0)) if value == "%a" else _of_mask(mask, lambda rows, lane, m=mask: (m, 1), (0, 0))
                yield Form(f"match.all.sync.{t}", body, (f"i{width}",), ("b32", "b32"), variant=mask_name + (", one value" if value == "%s" else ""),
                           domain="warp", together=32, expected=expected)  # fmt: skip


def _reductions() -> Iterator[Form]:
    def folded(f):
        def result(values):
            total = values[0]
            for value in values[1:]:
                total = f(total, value)
            return total

        return result

    table = {"add.u32": sum, "add.s32": sum, "min.u32": min, "max.u32": max, "min.s32": lambda v: min(v, key=lambda x: signed(x, 32)),
             "max.s32": lambda v: max(v, key=lambda x: signed(x, 32)), "and.b32": folded(lambda a, b: a & b),
             "or.b32": folded(lambda a, b: a | b), "xor.b32": folded(lambda a, b: a ^ b)}  # fmt: skip
    for name, f in table.items():
        for mask_name, mask in _MASKS.items():
            def reduced(rows, lane, f=f, mask=mask):
                return (f([rows[i][0] for i in _LANES if mask >> i & 1]) & 0xFFFFFFFF,)

            yield Form(f"redux.sync.{name}", _guarded(f"redux.sync.{name} %d, %a, {mask:#x};", 1, mask), ("i32",), ("b32",),
                       variant=mask_name, domain="warp", together=32, expected=_of_mask(mask, reduced, (0,)))  # fmt: skip


def _others() -> Iterator[Form]:
    # Which lanes happen to be together is nothing to rely on.
    yield Form("activemask.b32", "activemask.b32 %d;", ("i32",), ("b32",), domain="warp", together=32,
               expected=lambda rows: [(Including(1 << lane),) for lane in _LANES])  # fmt: skip
    for mask_name, mask in _MASKS.items():
        # Which lane is chosen, the ISA leaves open: one of the mask, the same for all.
        body = f"{{ .reg .pred %r; setp.ne.b32 %r, 0, 0; mov.b32 %d0, 0; {_guarded(f'elect.sync %d0|%r, {mask:#x};', 0, mask)} selp.u32 %d1, 1, 0, %r; }}"
        yield Form("elect.sync", body, ("i32",), ("b32", "b32"), "sm_90", variant=mask_name, domain="warp", together=32)


def forms() -> Iterator[Form]:
    yield from _shuffles()
    yield from _votes()
    yield from _matches()
    yield from _reductions()
    yield from _others()
