# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What the blocks of a cluster do with each other's shared memory: PTX ISA 9.7.9 (mapa, getctarank, ld, st, st.async, cp.async.bulk),
9.7.13 (atom, red, red.async, barrier.cluster, mbarrier). A lane's partner has its number in the next block."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .atomics import operations, width_of
from .form import Form
from .memories import OF_WAITS, waited
from .operands import PAIRS
from .stores import reduced

_LANES = 128
_BLOCKS = (2, 4)
_SYNC = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; "
_PARTNER = "{ .reg .b32 %next, %there; .reg .b64 %s; add.u32 %next, %rank, 1; rem.u32 %next, %next, BLOCKS; "
_MAPPED = "mapa.shared::cluster.u32 %there, %cell, %next; "


def _of(blocks: int, f: Callable[..., object]):
    """f of the lane's own operands, those of the lane in the next block, and of the one in the block before."""
    threads = _LANES // blocks

    def expected(rows: list[tuple]) -> list[tuple]:
        answers = []
        for i in range(_LANES):
            answer = f(rows[i], rows[(i + threads) % _LANES], rows[(i - threads) % _LANES])
            answers.append(answer if isinstance(answer, tuple) else (answer,))
        return answers

    return expected


def _form(name: str, body: str, kinds: tuple[str, ...], results: tuple[str, ...], blocks: int, f: Callable[..., object], variant: str = "") -> Form:
    text = f"{_PARTNER}{body} {_SYNC}}}".replace("BLOCKS", str(blocks))
    return Form(name, text, kinds, results, "sm_90", f"{variant + ', ' if variant else ''}{blocks} blocks", "cluster", _of(blocks, f), _LANES,
                blocks=blocks)  # fmt: skip


def _reads(blocks: int) -> Iterator[Form]:
    put = f"st.shared.v2.b64 [%cell], {{%a, %b}}; {_SYNC}"
    for t in ("b8", "s8", "u8", "b16", "s16", "u16", "b32", "b64"):
        bits = int(t[1:])
        result = max(bits, 32)

        def part(mine, next_, _, bits=bits, t=t, result=result):
            value = next_[1] & (1 << bits) - 1
            return (value - (1 << bits) if t[0] == "s" and value >> bits - 1 else value) & (1 << result) - 1

        yield _form(f"ld.shared::cluster.{t}", f"{put}{_MAPPED}ld.shared::cluster.{t} %d, [%there+8];", ("i64", "i64"), (f"b{result}",), blocks, part)
    for count, width in ((2, 32), (4, 32), (2, 64)):
        def parts(mine, next_, _, count=count, width=width):
            return tuple((next_[1] << 64 | next_[0]) >> width * i & (1 << width) - 1 for i in range(count))

        out = ", ".join(f"%d{i}" for i in range(count))
        yield _form(f"ld.shared::cluster.v{count}.b{width}", f"{put}{_MAPPED}ld.shared::cluster.v{count}.b{width} {{{out}}}, [%there];",
                    ("i64", "i64"), (f"b{width}",) * count, blocks, parts)  # fmt: skip
    for order in ("relaxed.cluster", "acquire.cluster", "volatile"):
        yield _form(f"ld.{order}.shared::cluster.b64", f"{put}{_MAPPED}ld.{order}.shared::cluster.b64 %d, [%there];", ("i64", "i64"), ("b64",), blocks,
                    lambda mine, next_, _: next_[0])  # fmt: skip
    generic = ".reg .b64 %x, %y; cvt.u64.u32 %x, %cell; cvta.shared.u64 %x, %x; mapa.u64 %y, %x, %next; "
    yield _form("mapa.u64", f"{put}{generic}ld.b64 %d0, [%y]; getctarank.u64 %d1, %y; cvta.to.shared.u64 %y, %y; ld.shared::cluster.b64 %d2, [%y];",
                ("i64", "i64"), ("b64", "b32", "b64"), blocks, lambda mine, next_, _: (next_[0], None, next_[0]), "generic")  # fmt: skip
    threads = _LANES // blocks
    ranks = [(i // threads + 1) % blocks for i in range(_LANES)]
    for name, get in (("getctarank.shared::cluster.u32", f"{_MAPPED}getctarank.shared::cluster.u32 %d, %there;"),
                      ("getctarank.u64", f"{generic}getctarank.u64 %d, %y;"), ("mapa.shared::cluster.u32", f"{_MAPPED}getctarank.shared::cluster.u32 %d, %there;")):  # fmt: skip
        form = _form(name, get, ("i64", "i64"), ("b32",), blocks, lambda mine, next_, _: 0)
        yield Form(form.name, form.body, form.operands, form.results, "sm_90", form.variant, "cluster", lambda rows, r=ranks: [(x,) for x in r], _LANES,
                   blocks=blocks)  # fmt: skip
    numbers = ("cluster_ctaid.x", "cluster_nctaid.x", "cluster_ctarank", "cluster_nctarank", "clusterid.x", "nclusterid.x", "ctaid.x", "nctaid.x")
    body = " ".join(f"mov.u32 %d{i}, %{name};" for i, name in enumerate(numbers)) + " .reg .pred %q; mov.pred %q, %is_explicit_cluster; selp.u32 %d8, 1, 0, %q;"
    form = _form("mov.u32", body, ("i64", "i64"), ("b32",) * 9, blocks, lambda *_: 0, "special registers of clusters")
    ids = [(i // threads, blocks, i // threads, blocks, 0, 1, i // threads, blocks, 1) for i in range(_LANES)]
    yield Form(form.name, form.body, form.operands, form.results, "sm_90", form.variant, "cluster", lambda rows, x=ids: x, _LANES, blocks=blocks)


def _writes(blocks: int) -> Iterator[Form]:
    """A lane finds what the one in the block before wrote."""
    put = f"st.shared.v2.b64 [%cell], {{%a, %a}}; {_SYNC}"
    get = f" {_SYNC}ld.shared.v2.b64 {{%d0, %d1}}, [%cell];"
    for order in ("", "relaxed.cluster.", "release.cluster.", "volatile."):
        for bits in (8, 16, 32, 64):
            def written(mine, _, before, bits=bits):
                mask = (1 << bits) - 1
                return mine[0] & ~mask | before[1] & mask, mine[0]

            name = f"st.{order}shared::cluster.b{bits}"
            yield _form(name, f"{put}{_MAPPED}{name} [%there], %b;{get}", ("i64", "i64"), ("b64", "b64"), blocks, written)
    yield _form("st.shared::cluster.v2.b64", f"{put}{_MAPPED}st.shared::cluster.v2.b64 [%there], {{%b, %a}};{get}", ("i64", "i64"), ("b64", "b64"),
                blocks, lambda mine, _, before: (before[1], before[0]))  # fmt: skip


def _atomics(blocks: int) -> Iterator[Form]:
    for operation, t, kind, f, _ in operations("shared"):
        if kind in PAIRS:  # in another block's memory; see docs/evidence/emulators_nvidia_runs.md
            f = lambda a, b: a + b & 0xFFFFFFFF
        b = width_of(kind)
        put, get = f"st.shared.{b} [%cell], %a; {_SYNC}", f" {_SYNC}ld.shared.{b} "
        name = f"atom.shared::cluster.{operation}.{t}"
        yield _form(name, f"{put}{_MAPPED}{name} %d0, [%there], %b;{get}%d1, [%cell];", (kind, kind), (b, b), blocks,
                    lambda mine, next_, before, f=f: (next_[0], f(mine[0], before[1])))  # fmt: skip
        if operation != "exch":
            name = f"red.shared::cluster.{operation}.{t}"
            yield _form(name, f"{put}{_MAPPED}{name} [%there], %b;{get}%d, [%cell];", (kind, kind), (b,), blocks,
                        lambda mine, _, before, f=f: f(mine[0], before[1]))  # fmt: skip
    for width in (16, 32, 64):
        name = f"atom.shared::cluster.cas.b{width}"
        put, get = f"st.shared.b{width} [%cell], %a; {_SYNC}", f" {_SYNC}ld.shared.b{width} "
        yield _form(name, f"{put}{_MAPPED}{name} %d0, [%there], %a, %b;{get}%d1, [%cell];", (f"i{width}",) * 2, (f"b{width}",) * 2, blocks,
                    lambda mine, next_, before: (next_[0], before[1] if before[0] == mine[0] else mine[0]))  # fmt: skip


def _barriers(blocks: int) -> Iterator[Form]:
    put = "st.shared.b64 [%cell], %a; "
    get = f" {_MAPPED}ld.shared::cluster.b64 %d, [%there];"
    for arrive, wait, fence in (("", "", ""), (".release", ".acquire", ""), (".relaxed", "", "fence.acq_rel.cluster; ")):
        for aligned in ("", ".aligned"):
            name = f"barrier.cluster.arrive{arrive}{aligned}"
            yield _form(name, f"{put}{fence}{name}; barrier.cluster.wait{wait}{aligned}; {fence}{get}", ("i64", "i64"), ("b64",), blocks,
                        lambda mine, next_, _: next_[0])  # fmt: skip
    name = "barrier.cluster.wait.acquire.aligned"
    yield _form(name, f"{put}barrier.cluster.arrive.release.aligned; {name};{get}", ("i64", "i64"), ("b64",), blocks, lambda mine, next_, _: next_[0])


def _mbarriers(blocks: int) -> Iterator[Form]:
    """Of each lane one, at which its partner arrives; and what completes there."""
    wait, in_vain = waited("%d0", "b64")
    begin = f"{OF_WAITS}.reg .b32 %peer; mbarrier.init.shared::cta.b64 [%more], 1; fence.mbarrier_init.release.cluster; "
    mapped = f"{_MAPPED}mapa.shared::cluster.u32 %peer, %more, %next; "
    end = f" {wait} ld.shared.v2.b64 {{%d0, %d1}}, [%cell]; {in_vain} mbarrier.inval.shared::cta.b64 [%more];"
    own = "st.shared.v2.b64 [%cell], {%a, %a}; "
    for order in ("", ".release.cluster", ".relaxed.cluster"):
        name = f"mbarrier.arrive{order}.shared::cluster.b64"
        yield _form(name, f"{begin}{own}{_SYNC}{mapped}{name} _, [%peer];{end}", ("i64", "i64"), ("b64", "b64"), blocks,
                    lambda mine, *_: (mine[0], mine[0]))  # fmt: skip
        name = f"mbarrier.arrive.expect_tx{order}.shared::cluster.b64"
        tx = "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%peer], 24;"
        yield _form(name, f"{begin}{own}{_SYNC}{mapped}{name} _, [%peer], 24; {tx}{end}", ("i64", "i64"), ("b64", "b64"), blocks,
                    lambda mine, *_: (mine[0], mine[0]))  # fmt: skip
    name = "mbarrier.arrive_drop.release.cluster.shared::cluster.b64"
    yield _form(name, f"{begin}{own}{_SYNC}{mapped}{name} _, [%peer];{end}", ("i64", "i64"), ("b64", "b64"), blocks, lambda mine, *_: (mine[0], mine[0]))
    expects = "{ .reg .b64 %t1; mbarrier.arrive.expect_tx.shared::cta.b64 %t1, [%more], SIZE; } "
    name = "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64"
    yield _form(name, f"{begin}{own}{expects.replace('SIZE', '16')}{_SYNC}{mapped}{name} [%there], {{%b, %a}}, [%peer];{end}", ("i64", "i64"),
                ("b64", "b64"), blocks, lambda mine, _, before: (before[1], before[0]))  # fmt: skip
    for operation, t in (("add", "u64"), ("max", "s32"), ("xor", "b32")):
        width = int(t[1:])
        name = f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operation}.{t}"
        value = "%b" if width == 64 else "%low"
        low = "" if width == 64 else ".reg .b32 %low; cvt.u32.u64 %low, %b; "

        def done(mine, _, before, width=width, f=reduced(operation, t)):
            mask = (1 << width) - 1
            return mine[0] & ~mask | f(mine[0] & mask, before[1] & mask), mine[0]

        yield _form(name, f"{begin}{low}{own}{expects.replace('SIZE', str(width // 8))}{_SYNC}{mapped}{name} [%there], {value}, [%peer];{end}",
                    ("i64", "i64"), ("b64", "b64"), blocks, done)  # fmt: skip
    # A copy of 16 bytes from the lane's cell to a place behind its partner's mbarrier.
    name = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    end = f" {wait} ld.shared.v2.b64 {{%d0, %d1}}, [%target]; {in_vain} mbarrier.inval.shared::cta.b64 [%more];"
    box = f".reg .b32 %target, %to; .shared .align 16 .b8 targets[{16 * _LANES // blocks}]; mov.u32 %target, targets; mad.lo.u32 %target, %t, 16, %target; "
    put = "st.shared.v2.b64 [%cell], {%a, %b}; st.shared.v2.b64 [%target], {%a, %a}; fence.proxy.async; "
    yield _form(name, f"{begin}{box}{put}{expects.replace('SIZE', '16')}{_SYNC}{mapped}mapa.shared::cluster.u32 %to, %target, %next; "
                f"{name} [%to], [%cell], 16, [%peer];{end}", ("i64", "i64"), ("b64", "b64"), blocks, lambda mine, _, before: before)  # fmt: skip


def forms() -> Iterator[Form]:
    for blocks in _BLOCKS:
        yield from _reads(blocks)
        yield from _writes(blocks)
        yield from _atomics(blocks)
        yield from _barriers(blocks)
        yield from _mbarriers(blocks)
