# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX that copy boxes of tensors, for tensor_copies_test.py."""

from __future__ import annotations


from tensors import COPY_OUT, EXPECT, HEADER, WAIT

TARGET = "sm_90a"
SHARED = 32768
UNWRITTEN = b"\xff"  # shared memory at a block's start


def coordinates(rank: int) -> str:
    return ", ".join(f"%c{i}" for i in range(rank))


def prologue(rank: int, cluster: str = "") -> str:
    reads = "".join(f"ld.param.s32 %c{i}, [c{i}];\n" for i in range(rank))
    parameters = "".join(f", .param .s32 c{i}" for i in range(rank))
    return f"""(.param .align 64 .b8 map[128], .param .u64 memory, .param .u32 size{parameters}) {cluster}
{{
.shared .align 1024 .b8 box[{SHARED}];
.shared .align 8 .b64 bar;
.reg .b32 %i, %at, %v, %n, %s, %rank, %c<5>;
.reg .b64 %m, %g, %o;
.reg .b16 %h;
.reg .pred %p;
mov.u32 %i, %tid.x;
mov.u32 %rank, %cluster_ctarank;
ld.param.u64 %g, [memory];
ld.param.u32 %n, [size];
mov.b64 %m, map;
cvta.param.u64 %m, %m;
{reads}
mov.u32 %s, box;
setp.ne.u32 %p, %i, 0;
"""


# Threads copy memory to the box, each every 32nd word.
COPY_IN = """
shl.b32 %at, %i, 2;
IN: setp.ge.u32 %p, %at, %n;
@%p bra FULL;
cvt.u64.u32 %o, %at;
add.u64 %o, %g, %o;
ld.global.b32 %v, [%o];
add.u32 %c4, %s, %at;
st.shared.b32 [%c4], %v;
add.u32 %at, %at, 128;
bra IN;
FULL: fence.proxy.async.shared::cta;
bar.sync 0;
setp.ne.u32 %p, %i, 0;
@%p bra END;
"""


def load(rank: int, wait: bool = True) -> str:
    return (
        f".visible .entry load{rank}{'' if wait else 'early'}" + prologue(rank) + EXPECT
        + f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
        f"[%s], [%m, {{{coordinates(rank)}}}], [bar], 0;\nREADY: bar.sync 0;\n" + (WAIT if wait else "") + COPY_OUT
    )  # fmt: skip


def store(rank: int, operation: str) -> str:
    head = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{operation}" if operation else f"cp.async.bulk.tensor.{rank}d.global.shared::cta"
    return (
        f".visible .entry store{rank}{operation}" + prologue(rank) + COPY_IN
        + f"{head}.tile.bulk_group [%m, {{{coordinates(rank)}}}], [%s];\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nEND: ret;\n}\n"
    )  # fmt: skip


# Block 0 of two loads into both; each waits for its own mbarrier.
MULTICAST = (
    ".visible .entry multicast" + prologue(2, ".reqnctapercluster 2, 1, 1 .explicitcluster")
    + "mul.lo.u32 %v, %rank, %n; cvt.u64.u32 %o, %v; add.u64 %g, %g, %o;\n" + EXPECT + """
READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
or.b32 %v, %i, %rank;
setp.ne.u32 %p, %v, 0;
mov.b16 %h, 3;
@!%p cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%m, {%c0, %c1}], [bar], %h;
""" + WAIT + COPY_OUT
)  # fmt: skip
# The four rows that c1 to c4 name.
GATHER = (
    ".visible .entry gather" + prologue(5) + EXPECT
    + "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%s], [%m, {%c0, %c1, %c2, %c3, %c4}], [bar];\n"
    "READY: bar.sync 0;\n" + WAIT + COPY_OUT
)  # fmt: skip
# Of a box or of four rows: where to, whether to both blocks of a cluster, and whether as a pair, of which block 0's mbarrier counts all.
WAYS = [("cta", False, False), ("cta", False, True), ("cluster", True, False), ("cluster", False, True), ("cluster", True, True)]


def way(name: str, head: str, mode: str, at: str, to: str, many: bool, pair: bool, offsets: str = "") -> str:
    """Two blocks with a box each, or block 0's for both. `head`: a prologue of a cluster of two; `at`: the map's coordinates."""
    both = pair and to == "cluster"  # are counted by block 0
    many_of, pair_of, ranks = (".multicast::cluster" if many else ""), (".cta_group::2" if pair else ""), (", %h3" if many else "")
    text = f".visible .entry {name}{to}{int(many)}{int(pair)}" + head
    text += ".reg .b16 %h3; .reg .b32 %bar; .reg .pred %q;\nmov.b16 %h3, 3;\nmul.lo.u32 %v, %rank, %n; cvt.u64.u32 %o, %v; add.u64 %g, %g, %o;\n"
    text += "@%p bra READY;\nmbarrier.init.shared::cta.b64 [bar], 1;\nfence.mbarrier_init.release.cluster;\n"
    text += f"mov.u32 %v, %n; setp.eq.u32 %q, %rank, 0;\n{'shl.b32 %v, %n, 1;' if both else 'setp.eq.u32 %q, %n, %n;'}\n"
    text += "@%q mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %v;\nREADY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    text += f"mov.u32 %bar, bar;\n{'mapa.shared::cluster.u32 %bar, %bar, 0;' if both else ''}\n"
    text += ("or.b32 %v, %i, %rank;" if many else "mov.u32 %v, %i;") + "\nsetp.ne.u32 %p, %v, 0;\n"
    text += f"@!%p cp.async.bulk.tensor.{mode.format(f'shared::{to}.global')}.mbarrier::complete_tx::bytes{many_of}{pair_of} [%s], [%m, {{{at}}}], [%bar]{offsets}{ranks};\n"
    text += ("setp.ne.u32 %q, %rank, 0;\n@%q bra WAITED;\n" if both else "") + WAIT
    return text + "WAITED: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" + COPY_OUT


PAIR = ".reqnctapercluster 2, 1, 1 .explicitcluster"
# Four rows to where c1 to c4 say.
SCATTER = (
    ".visible .entry scatter" + prologue(5) + ".reg .b32 %k;\n" + COPY_IN.replace("%c4", "%k")
    + "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%m, {%c0, %c1, %c2, %c3, %c4}], [%s];\n"
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND: ret;\n}\n"
)  # fmt: skip
# Hints, and then the box.
PREFETCH = load(2).replace("load2", "prefetch").replace(EXPECT, """
cp.async.bulk.prefetch.L2.global [%g], 16;
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%m, {%c0, %c1}];
cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%m, {%c0, %c1, %c1, %c1, %c1}];
""" + EXPECT)  # fmt: skip
# What sm_100 has.
NEWER = (
    HEADER.format("sm_100a") + SCATTER + PREFETCH
    + "".join(way("box", prologue(2, PAIR), "2d.{}.tile", "%c0, %c1", *how) for how in WAYS)
    + "".join(way("rows", prologue(5, PAIR), "2d.{}.tile::gather4", "%c0, %c1, %c2, %c3, %c4", *how) for how in WAYS)
)  # fmt: skip
# The block's 256 bytes of thread numbers, added to global memory, and to the other half of shared memory.
REDUCE = """
.visible .entry reduce(.param .u64 memory)
.explicitcluster
.reqnctapercluster 1, 1, 1
{
.shared .align 16 .b8 from[256];
.shared .align 16 .b8 to[256];
.shared .align 8 .b64 bar;
.reg .b32 %i, %at, %v;
.reg .b64 %g, %o;
.reg .pred %p;
ld.param.u64 %g, [memory];
mov.u32 %i, %tid.x;
shl.b32 %at, %i, 2;
mov.u32 %v, from; add.u32 %v, %v, %at; st.shared.b32 [%v], %i;
mov.u32 %v, to; add.u32 %v, %v, %at; st.shared.b32 [%v], 1000;
fence.proxy.async.shared::cta;
setp.ne.u32 %p, %i, 0;
@!%p mbarrier.init.shared::cta.b64 [bar], 1;
fence.proxy.async.shared::cta;
bar.sync 0;
@%p bra READY;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [from], 256;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [to], [from], 240, [bar];
st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [to+240], {%at, 7}, [bar];
red.async.relaxed.cluster.global.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to+248], 5, [bar];
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [to+252], 8, [bar];
READY:
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra WAIT;
mov.u32 %v, to; add.u32 %v, %v, %at; ld.shared.b32 %v, [%v];
cvt.u64.u32 %o, %at; add.u64 %o, %g, %o;
st.global.b32 [%o+256], %v;
ret;
}
""".replace("red.async.relaxed.cluster.global.", "red.async.relaxed.cluster.")

# Stores and reductions that tell nobody that they are done.
RELEASED = """
.visible .entry released(.param .u64 memory)
{
.reg .b32 %i;
.reg .b64 %g;
ld.param.u64 %g, [memory];
mov.u32 %i, %tid.x;
mad.wide.u32 %g, %i, 4, %g;
st.async.mmio.release.sys.global.b32 [%g], %i;
red.async.mmio.release.gpu.global.add.u32 [%g], 100;
st.async.release.gpu.global.b32 [%g+256], %i;
red.async.release.gpu.global.add.u32 [%g+256], 1000;
ret;
}
"""

# What counts at an mbarrier in the same memory as it writes to, which only a cluster has.
WITHIN = {
    "st.async": "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [to], 7, [bar];",
    "red.async": "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to], 7, [bar];",
    "cp.async.bulk from shared memory to shared memory": "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [from], 16, [bar];",
    "cp.reduce.async.bulk to shared memory": "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [to], [from], 16, [bar];",
}


def within(number: int, instruction: str) -> str:
    return (f".visible .entry within{number}()\n{{\n.shared .align 16 .b8 from[16];\n.shared .align 16 .b8 to[16];\n.shared .align 8 .b64 bar;\n"
            f"mbarrier.init.shared::cta.b64 [bar], 1;\nfence.proxy.async.shared::cta;\n{instruction}\nret;\n}}\n")  # fmt: skip


KERNELS = (
    HEADER.format(TARGET) + "".join(load(rank) for rank in range(1, 6)) + load(2, wait=False)
    + "".join(store(rank, "") for rank in (1, 2, 3)) + "".join(store(2, op) for op in ("add", "min", "max", "xor"))
    + MULTICAST + GATHER + REDUCE + RELEASED + "".join(within(i, x) for i, x in enumerate(WITHIN.values()))
)  # fmt: skip
