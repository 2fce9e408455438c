# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""cp.async, each lane on bytes of its own: PTX ISA 9.7.9.25.3. What is not copied stays as it was."""

from __future__ import annotations

from collections.abc import Iterator

from .form import Form
from .memories import OF_WAITS, waited

_BEFORE = 0x5A5A5A5A5A5A5A5A
# %a, %b in global memory, where other threads' copies see them too; a cell of which nothing is known to be zero.
_BEGIN = (f"st.global.v2.b64 [%scratch], {{%a, %b}}; st.shared.b64 [%cell], {_BEFORE:#x}; st.shared.b64 [%cell+8], {_BEFORE:#x}; "
          "membar.gl; bar.sync 0; ")  # fmt: skip
_END = " ld.shared.v2.b64 {%d0, %d1}, [%cell];"
_WAIT = " cp.async.wait_all;"
# An mbarrier of one arrival in the lane's other cell, and a wait for its first phase.
_BARRIER = "mbarrier.init.shared::cta.b64 [%more], 1; "
_WAITED, _IN_VAIN = waited("%d0", "b64")
_FOUR = ("i64", "i64")
_PREFETCHES = ("L2::64B", "L2::128B", "L2::256B")


def _copied(size: int, offset: int, count: int):
    """Both halves of the cell, with `count` bytes from the source and zeros behind them up to `size`."""

    def expected(a: int, b: int, *_) -> tuple[int, int]:
        source, cell = b << 64 | a, _BEFORE << 64 | _BEFORE
        mask = (1 << 8 * size) - 1
        part = source >> 8 * offset & (1 << 8 * count) - 1
        cell = cell & ~(mask << 8 * offset) | part << 8 * offset
        return cell & (1 << 64) - 1, cell >> 64

    return expected


def _sizes() -> Iterator[tuple[str, int, int]]:
    """Cache operation, bytes, offset."""
    for size in (4, 8, 16):
        for offset in range(0, 16, size):
            yield "ca", size, offset
    yield "cg", 16, 0


def _copy(how: str, size: int, offset: int, rest: str = "", more: str = "") -> tuple[str, str]:
    """The instruction's name, and itself."""
    name = f"cp.async.{how}.shared.global{more}"
    return name, f"{name} [%cell+{offset}], [%scratch+{offset}], {size}{rest};"


def forms() -> Iterator[Form]:
    for how, size, offset in _sizes():
        name, copy = _copy(how, size, offset)
        what = f"{size} bytes at {offset}"
        yield Form(name, _BEGIN + copy + _WAIT + _END, _FOUR, ("b64", "b64"), variant=what, expected=_copied(size, offset, size))
        # Fewer bytes than that, of an operand.
        few = _copy(how, size, offset, ", %n")[1]
        body = f"{{ .reg .b32 %n; rem.u32 %n, %c, {size + 1}; {_BEGIN}{few}{_WAIT}{_END} }}"
        yield Form(name, body, ("i64", "i64", "i32"), ("b64", "b64"), variant=f"{what}, the source's are given",
                   expected=lambda a, b, c, size=size, offset=offset: _copied(size, offset, c % (size + 1))(a, b))  # fmt: skip
        body = f"{{ .reg .pred %z; .reg .b32 %n; and.b32 %n, %c, 1; setp.ne.u32 %z, %n, 0; {_BEGIN}{_copy(how, size, offset, ', %z')[1]}{_WAIT}{_END} }}"
        yield Form(name, body, ("i64", "i64", "i32"), ("b64", "b64"), variant=f"{what}, the source may be ignored",
                   expected=lambda a, b, c, size=size, offset=offset: _copied(size, offset, 0 if c & 1 else size)(a, b))  # fmt: skip
    for prefetch in _PREFETCHES:
        name, copy = _copy("ca", 8, 8, more="." + prefetch)
        yield Form(name, _BEGIN + copy + _WAIT + _END, _FOUR, ("b64", "b64"), expected=_copied(8, 8, 8))
    name, copy = _copy("cg", 16, 0, ", %policy", ".L2::cache_hint")
    body = f"{{ .reg .b64 %policy; createpolicy.fractional.L2::evict_first.b64 %policy, 1.0; {_BEGIN}{copy}{_WAIT}{_END} }}"
    yield Form(name, body, _FOUR, ("b64", "b64"), expected=_copied(16, 0, 16))
    yield from _groups()
    yield from _arrivals()


def _groups() -> Iterator[Form]:
    first, second = _copy("ca", 8, 0)[1], _copy("ca", 8, 8)[1]
    commit = " cp.async.commit_group; "
    for pending in (0, 1):
        body = _BEGIN + first + commit + second + commit + f"cp.async.wait_group {pending}; ld.shared.b64 %d0, [%cell]; cp.async.wait_group 0; ld.shared.b64 %d1, [%cell+8];"
        yield Form("cp.async.wait_group", body, _FOUR, ("b64", "b64"), variant=f"{pending} of two groups may be pending", expected=lambda a, b: (a, b))
    # An empty group counts; two copies of one group; more groups than there are.
    body = _BEGIN + first + second + commit + commit + "cp.async.wait_group 1;" + _END
    yield Form("cp.async.wait_group", body, _FOUR, ("b64", "b64"), variant="an empty group behind one of two copies", expected=lambda a, b: (a, b))
    body = _BEGIN + first + commit + second + commit + "cp.async.wait_group 7; cp.async.wait_group 0;" + _END
    yield Form("cp.async.wait_group", body, _FOUR, ("b64", "b64"), variant="fewer groups than may be pending", expected=lambda a, b: (a, b))
    body = _BEGIN + first + commit + second + _WAIT + _END
    yield Form("cp.async.wait_all", body, _FOUR, ("b64", "b64"), variant="one copy in a group, one in none", expected=lambda a, b: (a, b))


def _arrivals() -> Iterator[Form]:
    copy = _copy("cg", 16, 0)[1]
    end = f"{_WAITED}{_END} {_IN_VAIN} mbarrier.inval.shared::cta.b64 [%more]; }}"
    for space in (".shared::cta", ".shared"):
        name = f"cp.async.mbarrier.arrive.noinc{space}.b64"
        yield Form(name, f"{{ {OF_WAITS}{_BEGIN}{_BARRIER}{copy} {name} [%more]; {end}", _FOUR, ("b64", "b64"), "sm_90", expected=lambda a, b: (a, b))
        name = f"cp.async.mbarrier.arrive{space}.b64"  # one more arrival is pending until then
        body = f"{{ {OF_WAITS}.reg .b64 %s; {_BEGIN}{_BARRIER}{copy} {name} [%more]; mbarrier.arrive{space}.b64 %s, [%more]; {end}"
        yield Form(name, body, _FOUR, ("b64", "b64"), "sm_90", expected=lambda a, b: (a, b))


def committed() -> Iterator[Form]:
    """To shared::cta, in groups."""
    for how, size, offset in _sizes():
        name, copy = (x.replace(".shared.", ".shared::cta.") for x in _copy(how, size, offset))
        body = f"{_BEGIN}{copy} cp.async.commit_group; cp.async.wait_group 0;{_END}"
        yield Form(f"{name}, cp.async.commit_group, cp.async.wait_group", body, _FOUR, ("b64", "b64"), variant=f"{size} bytes at {offset}", domain="cluster",
                   expected=_copied(size, offset, size))  # fmt: skip


def arrivals_at() -> Iterator[Form]:
    """At an mbarrier's generic address."""
    copy, generic = _copy("cg", 16, 0)[1], ".reg .b64 %s, %m; cvt.u64.u32 %m, %more; cvta.shared.u64 %m, %m;"
    end = f"{_WAITED}{_END} {_IN_VAIN} mbarrier.inval.shared::cta.b64 [%more]; }}"
    for noinc in (True, False):
        name = f"cp.async.mbarrier.arrive{'.noinc' if noinc else ''}.b64"
        more = "" if noinc else " mbarrier.arrive.b64 %s, [%m];"
        yield Form(name, f"{{ {OF_WAITS}{generic} {_BEGIN}{_BARRIER}{copy} {name} [%m];{more} {end}", _FOUR, ("b64", "b64"), "sm_90", domain="cluster",
                   expected=lambda a, b: (a, b))  # fmt: skip
    count = "and.b64 %m, %a, 1023; cvt.u32.u64 %n, %m; add.u32 %n, %n, 1;"
    name = "mbarrier.init.shared::cta.b64, mbarrier.arrive.shared::cta.b64, mbarrier.pending_count.b64"
    yield Form(name, f"{{ .reg .b64 %s, %m; .reg .b32 %n; {count} mbarrier.init.shared::cta.b64 [%more], %n; mbarrier.arrive.shared::cta.b64 %s, [%more]; "
               "mbarrier.pending_count.b64 %d, %s; mbarrier.inval.shared::cta.b64 [%more]; }", _FOUR, ("b32",), domain="cluster",
               expected=lambda a, b: (a & 1023) + 1)  # fmt: skip
