# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What must change nothing in memory, or orders it: prefetches and policies of caches (PTX ISA 9.7.9.15 to 9.7.9.18), ldu, .mmio, fences
(9.7.13.4), groups of cp.async to shared::cta, and branches."""

from __future__ import annotations

from collections.abc import Iterator

from .async_copies import arrivals_at, committed
from .form import Form

_TWO = ("i64", "i64")
_LINE = "shl.b64 %x, %wide, 3; and.b64 %x, %x, -128; add.u64 %x, %in, %x; "  # of 128 bytes, which sixteen lanes have
_OWN = "shl.b64 %y, %wide, 3; add.u64 %y, %in, %y; "  # a lane's first operand


def _form(name: str, body: str, results: tuple[str, ...], expected, variant: str = "", target: str = "sm_80", blocks: int = 1) -> Form:
    return Form(name, f"{{ .reg .b64 %x, %y; .reg .b32 %n, %h; .reg .pred %p; {body} }}", _TWO, results, target, variant, "cluster", expected,
                blocks=blocks)  # fmt: skip


def _caches() -> Iterator[Form]:
    for name in ("prefetch.global.L1", "prefetch.global.L2", "prefetch.global.L2::evict_last", "prefetch.global.L2::evict_normal"):
        yield _form(name, f"{_LINE}{_OWN}{name} [%x]; ld.global.b64 %d, [%y];", ("b64",), lambda a, b: a)
    generic = f"{_LINE}{_OWN}cvta.global.u64 %x, %x; "
    for name in ("prefetch.L1", "prefetch.L2", "prefetchu.L1"):
        yield _form(name, f"{generic}{name} [%x]; ld.global.b64 %d, [%y];", ("b64",), lambda a, b: a)
    for space, x in ((".global", ""), ("", "cvta.global.u64 %x, %x; ")):
        name = f"applypriority{space}.L2::evict_normal"
        yield _form(name, f"{_LINE}{_OWN}{x}{name} [%x], 128; ld.global.b64 %d, [%y];", ("b64",), lambda a, b: a)
    # The second operands' lines, which no other form reads, are written again before they are read.
    name = "discard.global.L2"
    second = f"{_LINE}{_OWN}add.u64 %x, %x, 1024; add.u64 %y, %y, 1024; and.b32 %n, %i, 15; setp.eq.u32 %p, %n, 0; "
    yield _form(name, f"{second}bar.sync 0; @%p {name} [%x], 128; bar.sync 0; st.global.b64 [%y], %b; bar.sync 0; ld.global.b64 %d, [%y];", ("b64",),
                lambda a, b: b)  # fmt: skip
    policies = [f"createpolicy.fractional.L2::{p}.b64 %x, {f};" for p in ("evict_last", "evict_normal", "evict_first", "evict_unchanged") for f in ("1.0", "0.25")]
    policies += [f"createpolicy.fractional.L2::evict_last.L2::{p}.b64 %x, 0.5;" for p in ("evict_first", "evict_unchanged")]
    policies += [f"createpolicy.range.global.L2::{p}.b64 %x, [%in], 1024, 2048;" for p in ("evict_last", "evict_first")]
    for policy in policies:
        name = policy.split()[0]
        yield _form(f"{name}, ld.global.L2::cache_hint.b64, st.global.L2::cache_hint.b64",
                    f"{policy} {_OWN}ld.global.L2::cache_hint.b64 %d0, [%y], %x; st.global.L2::cache_hint.b64 [%scratch], %b, %x; ld.global.b64 %d1, [%scratch];",
                    ("b64", "b64"), lambda a, b: (a, b), policy.rpartition(", ")[2].strip(";"))  # fmt: skip


def _words() -> Iterator[Form]:
    for t in ("b8", "s8", "u16", "b32", "s32", "b64"):
        bits = int(t[1:])
        result = max(bits, 32)

        def low(a: int, b: int, bits=bits, t=t, result=result) -> int:
            value = a & (1 << bits) - 1
            return (value - (1 << bits) if t[0] == "s" and value >> bits - 1 else value) & (1 << result) - 1

        yield _form(f"ldu.global.{t}", f"{_OWN}ldu.global.{t} %d, [%y];", (f"b{result}",), low)
        name = f"ld.mmio.relaxed.sys.global.{t}"
        yield _form(f"{name}, st.mmio.relaxed.sys.global.b64", f"st.mmio.relaxed.sys.global.b64 [%scratch], %a; {name} %d, [%scratch];", (f"b{result}",), low)
    for bits in (8, 16, 32, 64):
        name = f"st.mmio.relaxed.sys.global.b{bits}"
        mask = (1 << bits) - 1
        yield _form(name, f"st.global.b64 [%scratch], %a; {name} [%scratch], %b; ld.global.b64 %d, [%scratch];", ("b64",),
                    lambda a, b, mask=mask: a & ~mask | b & mask)  # fmt: skip
    for count, width in ((2, 32), (4, 16)):
        out = ", ".join(f"%d{i}" for i in range(count))
        yield _form(f"ldu.global.v{count}.b{width}", f"{_OWN}ldu.global.v{count}.b{width} {{{out}}}, [%y];", (f"b{width}",) * count,
                    lambda a, b, w=width, n=count: tuple(a >> w * i & (1 << w) - 1 for i in range(n)))  # fmt: skip


def _fences() -> Iterator[Form]:
    """A lane reads what the one beside it wrote before a fence and a barrier."""
    pairs = [(f"fence.{order}.{scope}",) * 2 for order in ("sc", "acq_rel") for scope in ("cta", "cluster", "gpu", "sys")]
    pairs += [(f"membar.{level}",) * 2 for level in ("cta", "gl", "sys")] + [("fence.proxy.alias",) * 2]
    pairs += [(f"fence.release.{scope}", f"fence.acquire.{scope}") for scope in ("cta", "cluster", "gpu", "sys")]
    for before, behind in pairs:
        newer = "cluster" in before or "release" in before
        body = f"st.global.b64 [%scratch], %a; {before}; bar.sync 0; {behind}; xor.b32 %n, %i, 69; mul.wide.u32 %y, %n, 16; "
        body += "mul.wide.u32 %x, %i, 16; sub.u64 %x, %scratch, %x; add.u64 %x, %x, %y; ld.global.b64 %d, [%x]; bar.sync 0;"
        form = _form(", ".join(dict.fromkeys((before, behind))), body, ("b64",), None, target="sm_90" if newer else "sm_80")
        yield Form(form.name, form.body, form.operands, form.results, form.target, domain="cluster", together=128,
                   expected=lambda rows: [(rows[i ^ 69][0],) for i in range(128)])  # fmt: skip
    # Between blocks, of which the barrier orders nothing itself.
    for before, behind in (("fence.sc.cluster",) * 2, ("fence.acq_rel.gpu",) * 2, ("fence.release.cluster", "fence.acquire.cluster")):
        body = f"st.shared.b64 [%cell], %a; {before}; barrier.cluster.arrive.relaxed; barrier.cluster.wait; {behind}; xor.b32 %n, %rank, 1; "
        body += "mapa.shared::cluster.u32 %h, %cell, %n; ld.shared::cluster.b64 %d, [%h]; barrier.cluster.arrive; barrier.cluster.wait;"
        form = _form(", ".join(dict.fromkeys((before, behind))), body, ("b64",), None, "2 blocks", "sm_90", 2)
        yield Form(form.name, form.body, form.operands, form.results, form.target, form.variant, "cluster",
                   lambda rows: [(rows[i ^ 64][0],) for i in range(128)], 128, blocks=2)  # fmt: skip


def _branches() -> Iterator[Form]:
    """Loops and tables of places."""
    loop = "mov.b64 %x, %a; mov.b32 %h, 0; setp.eq.u64 %p, %x, 0; @%p bra DONE;\nMORE: sub.u64 %y, %x, 1; and.b64 %x, %x, %y; add.u32 %h, %h, 1; "
    yield _form("bra, setp.ne.u64", f"{loop}setp.ne.u64 %p, %x, 0; @%p bra MORE;\nDONE: mov.b32 %d, %h;", ("b32",), lambda a, b: a.bit_count())
    for name in ("brx.idx", "brx.idx.uni"):
        which = "cvt.u32.u64 %n, %a; and.b32 %n, %n, 3;" if name == "brx.idx" else "shr.u32 %n, %i, 5;"
        text = f"{which} mov.b64 %x, 0;\nPLACES: .branchtargets P0, P1, P2, P3;\n{name} %n, PLACES;\n"
        text += "P0: add.u64 %x, %a, %b; bra DONE;\nP1: sub.u64 %x, %a, %b; bra DONE;\nP2: xor.b64 %x, %a, %b; bra DONE;\nP3: and.b64 %x, %a, %b;\nDONE: mov.b64 %d, %x;"

        def chosen(number: int, a: int, b: int) -> int:
            return (a + b, a - b, a ^ b, a & b)[number] & (1 << 64) - 1

        form = _form(name, text, ("b64",), None)
        yield Form(form.name, form.body, form.operands, form.results, domain="cluster", together=128, expected=lambda rows, uniform="uni" in name: [
            (chosen(i // 32 if uniform else a & 3, a, b),) for i, (a, b) in enumerate(rows)])  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _caches()
    yield from _words()
    yield from _fences()
    yield from _branches()
    yield from committed()
    yield from arrivals_at()
