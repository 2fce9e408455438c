# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mbarriers, each lane with its own in its cell: PTX ISA 9.7.13.15; and stores and reductions that complete at one: 9.7.9.12 (st.async),
9.7.13.8 (red.async)."""

from __future__ import annotations

from collections.abc import Iterator

from .form import Form
from .memories import OF_WAITS, waited
from .stores import reduced

_STATES = "{ .reg .b64 %s, %s1, %s2; .reg .b32 %n, %m; .reg .pred %q; "
_INVALID = " mbarrier.inval.shared::cta.b64 [%cell]; }"


def _init(count: str, space: str = ".shared::cta") -> str:
    return f"mbarrier.init{space}.b64 [%cell], {count}; "


def _arrivals() -> Iterator[Form]:
    """One arrival or several, of 1 + a % 8 that are expected; whether the phase is over then."""
    counts = "and.b32 %n, %a, 7; add.u32 %n, %n, 1; rem.u32 %m, %b, %n; add.u32 %m, %m, 1; "

    def counted(a: int, b: int) -> tuple[int, int]:
        n = (a & 7) + 1
        return n, b % n + 1

    for space in (".shared::cta", ".shared"):
        name = f"mbarrier.arrive{space}.b64"
        yield Form(name, _STATES + counts + _init("%n", space) + f"{name} %s, [%cell]; mbarrier.test_wait{space}.b64 %d, [%cell], %s;" + _INVALID,
                   ("i32", "i32"), ("pred",), variant="1", expected=lambda a, b: int(a & 7 == 0))  # fmt: skip
    for order in ("", ".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"):
        name = f"mbarrier.arrive{order}.shared::cta.b64"
        yield Form(name, _STATES + counts + _init("%n") + f"{name} %s, [%cell], %m; mbarrier.test_wait.shared::cta.b64 %d, [%cell], %s;" + _INVALID,
                   ("i32", "i32"), ("pred",), "sm_90", variant="several", expected=lambda a, b: int(counted(a, b)[0] == counted(a, b)[1]))  # fmt: skip
    # What the state says of the arrivals that were pending before.
    for name in ("mbarrier.arrive.noComplete.shared::cta.b64", "mbarrier.arrive_drop.noComplete.shared::cta.b64"):
        body = _STATES + "and.b32 %n, %a, 7; add.u32 %n, %n, 2; sub.u32 %m, %n, 1; rem.u32 %m, %b, %m; add.u32 %m, %m, 1; " + _init("%n")
        body += f"{name} %s, [%cell], %m; mbarrier.pending_count.b64 %d0, %s; mbarrier.test_wait.shared::cta.b64 %d1, [%cell], %s; "
        body += "sub.u32 %n, %n, %m; mbarrier.arrive.shared::cta.b64 %s1, [%cell], %n; mbarrier.test_wait.shared::cta.b64 %d2, [%cell], %s; "
        body += "mbarrier.test_wait.shared::cta.b64 %d3, [%cell], %s1;"
        yield Form(name, body.replace("arrive.shared::cta.b64 %s1", "arrive.release.cta.shared::cta.b64 %s1") + _INVALID, ("i32", "i32"),
                   ("b32", "pred", "pred", "pred"), "sm_90", expected=lambda a, b: ((a & 7) + 2, 0, 1, 1))  # fmt: skip
    # Those that arrive for the last time: the next phase takes one less.
    for count in ("", ", 2"):
        n = 3 if count else 2
        name = "mbarrier.arrive_drop.shared::cta.b64"
        rest = "mbarrier.arrive.shared::cta.b64 %s1, [%cell]; "
        body = _STATES + _init(str(n)) + f"{name} %s, [%cell]{count}; mbarrier.test_wait.shared::cta.b64 %d0, [%cell], %s; {rest}"
        body += "mbarrier.test_wait.shared::cta.b64 %d1, [%cell], %s; " + rest.replace("%s1", "%s2") + "mbarrier.test_wait.shared::cta.b64 %d2, [%cell], %s2;"
        yield Form(name, body + _INVALID, ("i32",), ("pred",) * 3, "sm_90", variant=count[2:] or "1", expected=lambda a: (0, 1, 1))


def _transactions() -> Iterator[Form]:
    """Bytes that are awaited: 16 to 1,040 of them."""
    size = "and.b32 %n, %a, 1023; add.u32 %n, %n, 16; "
    test = "mbarrier.test_wait.parity.shared::cta.b64 {}, [%cell], 0; "
    for order in ("", ".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"):
        name = f"mbarrier.arrive.expect_tx{order}.shared::cta.b64"
        body = _STATES + size + _init("1") + f"{name} %s, [%cell], %n; " + test.format("%d0")
        body += "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%cell], 16; " + test.format("%d1") + "sub.u32 %n, %n, 16; "
        body += "mbarrier.complete_tx.shared::cta.b64 [%cell], %n; " + test.format("%d2") + "mbarrier.test_wait.shared::cta.b64 %d3, [%cell], %s;"
        yield Form(name, body + _INVALID, ("i32",), ("pred",) * 4, "sm_90", expected=lambda a: (0, int(a & 1023 == 0), 1, 1))
    for order in ("", ".relaxed.cta", ".relaxed.cluster"):  # before the arrival
        name = f"mbarrier.expect_tx{order}.shared::cta.b64"
        body = _STATES + size + _init("1") + f"{name} [%cell], %n; mbarrier.arrive.shared::cta.b64 %s, [%cell]; " + test.format("%d0")
        body += f"mbarrier.complete_tx{order}.shared::cta.b64 [%cell], %n; " + test.format("%d1")
        yield Form(name, body + _INVALID, ("i32",), ("pred",) * 2, "sm_90", expected=lambda a: (0, 1))
    name = "mbarrier.arrive_drop.expect_tx.shared::cta.b64"
    body = _STATES + size + _init("2") + f"{name} %s, [%cell], %n; mbarrier.arrive.shared::cta.b64 %s1, [%cell]; " + test.format("%d0")
    body += "mbarrier.complete_tx.shared::cta.b64 [%cell], %n; " + test.format("%d1") + "mbarrier.arrive.shared::cta.b64 %s2, [%cell]; "
    body += "mbarrier.test_wait.parity.shared::cta.b64 %d2, [%cell], 1;"
    yield Form(name, body + _INVALID, ("i32",), ("pred",) * 3, "sm_90", expected=lambda a: (0, 1, 1))
    # Bytes that come before they are expected.
    body = _STATES + size + _init("2") + "mbarrier.arrive.shared::cta.b64 %s, [%cell]; mbarrier.complete_tx.shared::cta.b64 [%cell], %n; " + test.format("%d0")
    body += "mbarrier.arrive.expect_tx.shared::cta.b64 %s1, [%cell], %n; " + test.format("%d1")
    yield Form("mbarrier.complete_tx.shared::cta.b64", body + _INVALID, ("i32",), ("pred",) * 2, "sm_90", variant="early", expected=lambda a: (0, 1))


def _waits() -> Iterator[Form]:
    """After a % 3 phases, of a phase's parity and of its state."""
    phases = _STATES + "mov.b64 %s1, 0; rem.u32 %n, %a, 3; " + _init("1") + "mbarrier.arrive.shared::cta.b64 %s, [%cell]; "
    phases += "setp.gt.u32 %q, %n, 0; @%q mbarrier.arrive.shared::cta.b64 %s1, [%cell]; setp.gt.u32 %q, %n, 1; @%q mbarrier.arrive.shared::cta.b64 %s1, [%cell]; "
    orders = ("", ".acquire.cta", ".acquire.cluster", ".relaxed.cta", ".relaxed.cluster")
    for what, hint in (("test_wait", ""), ("try_wait", ""), ("try_wait", ", 100")):
        for order in orders:
            name = f"mbarrier.{what}.parity{order}.shared::cta.b64"
            body = phases + f"{name} %d0, [%cell], 0{hint}; {name} %d1, [%cell], 1{hint};" + _INVALID
            yield Form(name, body, ("i32",), ("pred", "pred"), "sm_90", variant=f"a limit of time{hint}" if hint else "",
                       expected=lambda a: (int(a % 3 != 1), int(a % 3 == 1)))  # fmt: skip
            # The phase before is over.
            name = f"mbarrier.{what}{order}.shared::cta.b64"
            body = _STATES + _init("1") + f"mbarrier.arrive.shared::cta.b64 %s, [%cell]; {name} %d, [%cell], %s{hint};" + _INVALID
            yield Form(name, body, ("i32",), ("pred",), "sm_90", variant=f"a limit of time{hint}" if hint else "", expected=lambda a: 1)
    body = _STATES + _init("%n").replace("mbarrier", "and.b32 %n, %a, 0xfffff; max.u32 %n, %n, 1; mbarrier", 1)
    body += "mbarrier.arrive.noComplete.shared::cta.b64 %s, [%cell], 1; mbarrier.pending_count.b64 %d, %s;"
    yield Form("mbarrier.pending_count.b64", body.replace("max.u32 %n, %n, 1", "max.u32 %n, %n, 2") + _INVALID, ("i32",), ("b32",),
               expected=lambda a: max(a & 0xFFFFF, 2))  # fmt: skip
    body = _STATES + _init("1") + "mbarrier.arrive.shared::cta.b64 %s, [%cell]; mbarrier.inval.shared::cta.b64 [%cell]; " + _init("2")
    body += "mbarrier.test_wait.parity.shared::cta.b64 %d0, [%cell], 0; mbarrier.arrive.shared::cta.b64 %s, [%cell]; "
    body += "mbarrier.arrive.shared::cta.b64 %s, [%cell]; mbarrier.test_wait.parity.shared::cta.b64 %d1, [%cell], 0;"
    yield Form("mbarrier.inval.shared::cta.b64", body + _INVALID, ("i32",), ("pred", "pred"), expected=lambda a: (0, 1))


# A value in the lane's cell, an mbarrier in its other one that expects bytes, and a wait for them.
def _counted(size: int, before: str, instruction: str, after: str, first: tuple[str, str]) -> str:
    wait, in_vain = waited(*first)
    return (f"{{ .reg .b64 %s; {OF_WAITS}{before} mbarrier.init.shared::cta.b64 [%more], 1; fence.mbarrier_init.release.cluster; "
            f"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mbarrier.arrive.expect_tx.shared::cta.b64 %s, [%more], {size}; {instruction} "
            f"{wait} {after} {in_vain} mbarrier.inval.shared::cta.b64 [%more]; }}")  # fmt: skip


def async_forms() -> Iterator[Form]:
    """To the block's own memory, but of a cluster: without one an H200 does not know these instructions."""
    before = "st.shared.b64 [%cell], 0; st.shared.b64 [%cell+8], 0;"
    after = "ld.shared.v2.b64 {%d0, %d1}, [%cell];"
    for t in ("b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"):
        width = int(t[1:])
        kind, mask = f"i{width}", (1 << width) - 1
        for count in (1, 2, 4):
            if width * count > 128:
                continue
            name = f"st.async.shared::cluster.mbarrier::complete_tx::bytes{'' if count == 1 else f'.v{count}'}.{t}"
            values = "{" + ", ".join("%" + x for x in "abce"[:count]) + "}" if count > 1 else "%a"

            def stored(*x: int, width=width, mask=mask) -> tuple[int, int]:
                whole = sum((v & mask) << width * i for i, v in enumerate(x))
                return whole & (1 << 64) - 1, whole >> 64

            instruction = f"{name} [%cell], {values}, [%more];"
            if t[0] == "f":
                moved = " ".join(f"mov.b{width} %f{i}, %{x};" for i, x in enumerate("abce"[:count]))
                listed = "{" + ", ".join(f"%f{i}" for i in range(count)) + "}" if count > 1 else "%f0"
                instruction = f"{{ .reg .{t} %f<4>; {moved} {name} [%cell], {listed}, [%more]; }}"
            yield Form(name, _counted(width // 8 * count, before, instruction, after, ("%d0", "b64")), (kind,) * count, ("b64", "b64"), "sm_90", expected=stored,
                       clustered=True)  # fmt: skip
    for operation, types in {"add": ("u32", "s32", "u64"), "min": ("u32", "s32"), "max": ("u32", "s32"), "inc": ("u32",), "dec": ("u32",),
                             "and": ("b32",), "or": ("b32",), "xor": ("b32",)}.items():  # fmt: skip
        for t in types:
            width = int(t[1:])
            name = f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operation}.{t}"
            yield Form(name, _counted(width // 8, f"st.shared.b{width} [%cell], %a;", f"{name} [%cell], %b, [%more];", f"ld.shared.b{width} %d, [%cell];",
                                      ("%d", f"b{width}")),
                       (f"i{width}",) * 2, (f"b{width}",), "sm_90", expected=reduced(operation, t), clustered=True)  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _arrivals()
    yield from _transactions()
    yield from _waits()
