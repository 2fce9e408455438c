# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Generic addresses: PTX ISA 9.7.9.19 (isspacep), 9.7.9.20 (cvta). Blocks of a cluster ask of their own shared memory, of another's,
and of others."""

from __future__ import annotations

from collections.abc import Iterator

from .form import Form

_SPACES = ("global", "shared::cta", "shared::cluster", "shared", "local", "const", "param")
# Of each place an address in %x, and in which spaces it lies; `param` is within memory of which the ISA does not say where it lies.
_PLACES = {
    "global memory": ("add.u64 %x, %in, %y;", {"global"}),
    "results": ("mov.u64 %x, %scratch;", {"global"}),
    "its own shared memory": ("cvt.u64.u32 %x, %cell; cvta.shared.u64 %x, %x;", {"shared::cta", "shared::cluster", "shared"}),
    "another block's shared memory": ("cvt.u64.u32 %x, %cell; cvta.shared.u64 %x, %x; xor.b32 %n, %rank, 1; mapa.u64 %x, %x, %n;", {"shared::cluster"}),
    "local memory": (".local .align 8 .b8 own[64]; mov.u64 %x, own; cvta.local.u64 %x, %x; add.u64 %x, %x, %y;", {"local"}),
    "a parameter": ("mov.b64 %x, out; cvta.param.u64 %x, %x;", None),
}
_BEGIN = "{ .reg .b64 %x, %y; .reg .b32 %n; and.b64 %y, %a, 56; "


def forms() -> Iterator[Form]:
    for blocks in (1, 2):
        for place, (address, lies_in) in _PLACES.items():
            if blocks == 1 and "another" in place:
                continue
            body = _BEGIN + address + " " + " ".join(f"isspacep.{space} %d{i}, %x;" for i, space in enumerate(_SPACES)) + " }"
            wanted = tuple(int(space in lies_in) if lies_in is not None else 1 if space == "param" else None for space in _SPACES)
            yield Form("isspacep", body, ("i64",), ("pred",) * len(_SPACES), "sm_90", f"{place}, {blocks} blocks", "cluster", lambda _, w=wanted: w,
                       blocks=blocks)  # fmt: skip
    for space, own in (("shared", "cvt.u64.u32 %x, %cell;"), ("shared::cta", "cvt.u64.u32 %x, %cell;"), ("global", "mov.b64 %x, %scratch;"),
                       ("local", ".local .align 8 .b8 own[8]; mov.u64 %x, own;")):  # fmt: skip
        plain = space.partition(":")[0]
        body = (f"{{ .reg .b64 %x, %y, %v; {own} cvta.{space}.u64 %y, %x; st.b64 [%y], %a; ld.{plain}.b64 %d0, [%x]; not.b64 %v, %a; "
                f"st.{plain}.b64 [%x], %v; ld.b64 %d1, [%y]; cvta.to.{space}.u64 %y, %y; ld.{plain}.b64 %d2, [%y]; }}")  # fmt: skip
        yield Form(f"cvta.{space}.u64", body, ("i64",), ("b64",) * 3, domain="cluster", expected=lambda a: (a, ~a & (1 << 64) - 1, ~a & (1 << 64) - 1))
