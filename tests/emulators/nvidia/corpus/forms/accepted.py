# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""An example of each row of the table of evidence: of every opcode that the emulator translates, in every mode that tells instructions
apart, with the first architecture that has it. coverage_test.py holds them against the translator and ptxas, and tells a modifier of
the emulator's table that no example has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from .coverage import KEPT, named


@dataclass(frozen=True)
class Example:
    target: str  # the least architecture that has it; sm_100a or sm_120a where no other does
    text: str  # with operands of DECLARATIONS
    body: str = ""  # where it takes more than the instruction itself

    @property
    def row(self) -> str:
        return named(self.text.split()[0], self.text)


DECLARATIONS = """.reg .b8 %c<2>;
.reg .b16 %h<10>;
.reg .b32 %r<40>;
.reg .b64 %d<20>;
.reg .b128 %q<2>;
.reg .pred %p<4>;
.shared .align 128 .b8 box[1024];
.shared .align 8 .b64 bar;
"""
NEWEST = "sm_100a"
_PAIR, _NONE = ".cta_group::2", ".cta_group::1"
_TX = ".mbarrier::complete_tx::bytes"


def listed(count: int, first: int = 0) -> str:
    return "{" + ", ".join(f"%r{first + i}" for i in range(count)) + "}"


def _plain() -> Iterator[Example]:
    """Opcodes that are one instruction."""
    for opcode, types, operands in (
        ("add sub and or xor shl min max rem div", "b32", "%r0, %r1, %r2"),
        ("fma mad sad", "32", "%r0, %r1, %r2, %r3"),
        ("abs neg", "s32", "%r0, %r1"),
        ("not cnot brev clz popc mov", "b32", "%r0, %r1"),
    ):
        for name in opcode.split():
            kind = {"and": "b32", "or": "b32", "xor": "b32", "shl": "b32", "fma": "rn.f32", "mad": "lo.u32"}.get(name, "u32" if types == "32" else types)
            kind = "s32" if name in ("add", "sub", "min", "max", "rem", "div") else kind
            yield Example("sm_80", f"{name}.{kind} {operands};")
    for text in (
        "mul.lo.u32 %r0, %r1, %r2;", "mul24.lo.u32 %r0, %r1, %r2;", "mad24.lo.u32 %r0, %r1, %r2, %r3;", "addc.u32 %r0, %r1, %r2;",
        "subc.u32 %r0, %r1, %r2;", "madc.lo.u32 %r0, %r1, %r2, %r3;", "dp4a.u32.u32 %r0, %r1, %r2, %r3;", "dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;",
        "bfe.u32 %r0, %r1, %r2, %r3;", "bfi.b32 %r0, %r1, %r2, %r3, %r4;", "szext.clamp.u32 %r0, %r1, %r2;", "bfind.u32 %r0, %r1;",
        "fns.b32 %r0, %r1, %r2, %r3;", "bmsk.clamp.b32 %r0, %r1, %r2;", "sqrt.rn.f32 %r0, %r1;", "rcp.rn.f32 %r0, %r1;",
        "rsqrt.approx.f32 %r0, %r1;", "ex2.approx.f32 %r0, %r1;", "lg2.approx.f32 %r0, %r1;", "sin.approx.f32 %r0, %r1;",
        "cos.approx.f32 %r0, %r1;", "tanh.approx.f32 %r0, %r1;", "copysign.f32 %r0, %r1, %r2;", "testp.finite.f32 %p0, %r1;",
        "setp.eq.u32 %p0, %r0, %r1;", "set.eq.u32.u32 %r0, %r1, %r2;", "selp.b32 %r0, %r1, %r2, %p0;", "slct.u32.s32 %r0, %r1, %r2, %r3;",
        "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", "shr.u32 %r0, %r1, %r2;", "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", "prmt.b32 %r0, %r1, %r2, %r3;",
        "cvt.u64.u32 %d0, %r0;", "ld.global.b32 %r0, [%d0];", "ldu.global.b32 %r0, [%d0];", "st.global.b32 [%d0], %r0;",
        "cvta.global.u64 %d0, %d1;", "isspacep.global %p0, %d0;", "prefetch.global.L1 [%d0];", "prefetchu.L1 [%d0];",
        "applypriority.global.L2::evict_normal [%d0], 128;", "discard.global.L2 [%d0], 128;", "createpolicy.fractional.L2::evict_last.b64 %d0, 1.0;",
        "shfl.sync.up.b32 %r0, %r1, %r2, 0, -1;", "atom.global.add.u32 %r0, [%d0], %r1;", "red.global.add.u32 [%d0], %r1;",
        "vote.sync.any.pred %p0, %p1, -1;", "match.any.sync.b32 %r0, %r1, -1;", "activemask.b32 %r0;", "redux.sync.add.u32 %r0, %r1, -1;",
        "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;", "nanosleep.u32 20;", "trap;", "brkpt;", "pmevent 1;", "ret;", "exit;", "membar.gl;",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [box];", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + listed(8) + ", [%d0];",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%d0], " + listed(4) + ";",
        "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16 " + ", ".join(listed(n) for n in (4, 8, 8, 4)) + ";",
        "bar.sync 0;", "bar.arrive 0, 64;", "bar.red.popc.u32 %r0, 0, %p0;", "bar.warp.sync -1;", "barrier.sync 0;", "barrier.arrive 0, 64;",
        "barrier.red.popc.u32 %r0, 0, %p0;", "fence.sc.gpu;", "fence.acq_rel.gpu;", "fence.proxy.alias;", "mbarrier.init.shared.b64 [bar], 1;",
        "mbarrier.inval.shared.b64 [bar];", "mbarrier.arrive.shared.b64 %d0, [bar];", "mbarrier.arrive_drop.shared.b64 %d0, [bar];",
        "mbarrier.test_wait.shared.b64 %p0, [bar], %d0;", "mbarrier.pending_count.b64 %r0, %d0;",
        "cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", "st.mmio.relaxed.sys.global.b32 [%d0], %r0;", "ld.mmio.relaxed.sys.global.b32 %r0, [%d0];",
        "cp.async.ca.shared.global [box], [%d0], 16;", "cp.async.ca.shared::cta.global [box], [%d0], 16;", "cp.async.commit_group;",
        "cp.async.wait_group 0;", "cp.async.wait_all;", "cp.async.mbarrier.arrive.shared.b64 [bar];", "cp.async.mbarrier.arrive.shared::cta.b64 [bar];",
        "cp.async.mbarrier.arrive.b64 [%d0];",
    ):  # fmt: skip
        yield Example("sm_80", text)
    yield Example("sm_80", "bra THERE;", "bra THERE;\nTHERE:")
    yield Example("sm_80", "brx.idx %r0, TARGETS;", "ONE:\nTARGETS: .branchtargets ONE;\nbrx.idx %r0, TARGETS;")
    yield Example("sm_80", "call called;")
    for text in (
        "mapa.u64 %d0, %d1, %r0;", "getctarank.u64 %r0, %d0;", "elect.sync %r0|%p0, -1;", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [box], {%r0};",
        "griddepcontrol.wait;", "griddepcontrol.launch_dependents;", "barrier.cluster.arrive;", "barrier.cluster.wait;",
        "mbarrier.try_wait.shared.b64 %p0, [bar], %d0;", "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16;",
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16;", "mbarrier.arrive.expect_tx.shared.b64 %d0, [bar], 16;",
        "mbarrier.arrive_drop.expect_tx.shared.b64 %d0, [bar], 16;", "fence.acquire.gpu;", "fence.release.gpu;", "fence.proxy.async;",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;", "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
        "fence.mbarrier_init.release.cluster;", "fence.proxy.tensormap::generic.acquire.gpu [%d0], 128;", "fence.proxy.tensormap::generic.release.gpu;",
        "fence.acquire.sync_restrict::shared::cluster.cluster;", "fence.release.sync_restrict::shared::cta.cluster;",
        f"st.async.shared::cluster{_TX}.b32 [box], %r0, [bar];", f"red.async.relaxed.cluster.shared::cluster{_TX}.add.u32 [box], %r0, [bar];",
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [box], 128;",
        "fma.rn.oob.f16 %h0, %h1, %h2, %h3;",
    ):  # fmt: skip
        yield Example("sm_90", text)
    for text in (
        "setmaxnreg.inc.sync.aligned.u32 64;", "setmaxnreg.dec.sync.aligned.u32 24;", "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [box], %d0;",
        "wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;",
    ):  # fmt: skip
        yield Example("sm_90a", text)


def _newer_than_hopper() -> Iterator[Example]:
    """Of opcodes that sm_90a has: what sm_100 and later add."""
    for name, operands in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        yield Example("sm_100", f"{name}.rn.f32x2 " + ", ".join(f"%d{i}" for i in range(operands + 1)) + ";")
        if name != "mul":
            for narrow in ("f16", "bf16"):
                yield Example("sm_100", f"{name}.rn.f32.{narrow} " + ", ".join(["%r0", "%h0", "%h1"][:operands] + ["%r1"]) + ";")
    for name in ("min", "max"):
        yield Example("sm_100", f"{name}.f32 %r0, %r1, %r2, %r3;")
    for t in ("e2m1", "e2m3", "e3m2"):
        code = "%c0" if t == "e2m1" else "%h0"
        yield Example(NEWEST, f"cvt.rn.satfinite.{t}x2.f32 {code}, %r0, %r1;")
        yield Example(NEWEST, f"cvt.rn.f16x2.{t}x2 %r0, {code};")
    yield Example(NEWEST, "cvt.rn.satfinite.e2m1x2.f16x2 %c0, %r1;")
    for t in ("e2m1", "e2m3", "e3m2", "e4m3", "e5m2"):
        yield Example(NEWEST, f"cvt.rs.satfinite.{t}x4.f32 {'%h0' if t == 'e2m1' else '%r0'}, {{%r1, %r2, %r3, %r4}}, %r5;")
    for t in ("f16x2", "bf16x2"):
        yield Example(NEWEST, f"cvt.rs.{t}.f32 %r0, %r1, %r2, %r3;")
    yield Example(NEWEST, "cvt.rz.ue8m0x2.f32 %h0, %r1, %r2;")
    yield Example(NEWEST, "cvt.rz.ue8m0x2.bf16x2 %h0, %r1;")
    yield Example(NEWEST, "cvt.rn.bf16x2.ue8m0x2 %r0, %h1;")
    yield Example("sm_100", "cvt.rn.satfinite.tf32.f32 %r0, %r1;")
    for shape, count in (("m16n16", 2), ("m8n16", 1)):
        for t in ("b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"):
            if shape == "m8n16" and t == "b8":
                continue
            yield Example(NEWEST, f"ldmatrix.sync.aligned.{shape}.x1{'.trans' if count == 2 else ''}.shared.{t} {listed(count)}, [box];")
    yield Example(NEWEST, "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [box], {%r0};")
    yield Example(NEWEST, "redux.sync.min.f32 %r0, %r1, -1;")
    for name in ("ld", "st"):
        for vector, operands in (("v8.b32", listed(8)), ("v4.b64", "{%d1, %d2, %d3, %d4}")):
            yield Example("sm_100", f"ld.global.{vector} {operands}, [%d0];" if name == "ld" else f"st.global.{vector} [%d0], {operands};")
    yield Example("sm_100", "st.async.mmio.release.sys.global.b32 [%d0], %r0;")
    yield Example("sm_100", "red.async.mmio.release.gpu.global.add.u32 [%d0], %r0;")
    yield Example(NEWEST, "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [box], 1;")
    yield Example("sm_100", f"clusterlaunchcontrol.try_cancel.async.shared::cta{_TX}.b128 [box], [bar];")
    yield Example(NEWEST, f"clusterlaunchcontrol.try_cancel.async.shared::cta{_TX}.multicast::cluster::all.b128 [box], [bar];")
    yield Example("sm_100", "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q0;")


def _copies() -> Iterator[Example]:
    """cp.async.bulk and its tensors."""
    for to in ("shared::cluster", "shared::cta"):
        yield Example("sm_90", f"cp.async.bulk.{to}.global{_TX} [box], [%d0], 16, [bar];")
    yield Example("sm_90", f"cp.async.bulk.shared::cluster.global{_TX}.multicast::cluster [box], [%d0], 16, [bar], %h0;")
    yield Example("sm_90", f"cp.async.bulk.shared::cluster.shared::cta{_TX} [box], [%r0], 16, [bar];")
    yield Example("sm_90", "cp.async.bulk.global.shared::cta.bulk_group [%d0], [box], 16;")
    yield Example("sm_90", "cp.async.bulk.prefetch.L2.global [%d0], 16;")
    yield Example("sm_90", "cp.async.bulk.commit_group;")
    yield Example("sm_90", "cp.async.bulk.wait_group 0;")
    yield Example("sm_90", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [box], 16;")
    yield Example("sm_90", f"cp.reduce.async.bulk.shared::cluster.shared::cta{_TX}.add.u32 [%r0], [box], 16, [bar];")
    rows, five, four = "{%r0, %r1, %r2, %r3, %r4}", "{%r0, %r1, %r2, %r3}", "{%r0, %r1}"
    modes = {"tile": four, "im2col": five, "tile::gather4": rows}
    for to, mode, many, pair in product(("shared::cluster", "shared::cta"), modes, ("", ".multicast::cluster"), ("", _PAIR)):
        if many and to == "shared::cta":
            continue
        offsets = ", {%h1, %h2}" if mode == "im2col" else ""
        least = NEWEST if mode == "tile::gather4" or pair else "sm_90"
        dimensions = 4 if mode == "im2col" else 2
        yield Example(least, f"cp.async.bulk.tensor.{dimensions}d.{to}.global.{mode}{_TX}{many}{pair} [box], [%d0, {modes[mode]}], [bar]{offsets}{', %h0' if many else ''};")
    for mode, at in modes.items():
        offsets = ", {%h1, %h2}" if mode == "im2col" else ""
        dimensions, least = (4 if mode == "im2col" else 2), NEWEST if mode == "tile::gather4" else "sm_90"
        yield Example(least, f"cp.async.bulk.prefetch.tensor.{dimensions}d.L2.global.{mode} [%d0, {at}]{offsets};")
    for mode, at in {"tile": four, "im2col_no_offs": five, "tile::scatter4": rows}.items():
        dimensions, least = (4 if mode == "im2col_no_offs" else 2), NEWEST if mode == "tile::scatter4" else "sm_90"
        yield Example(least, f"cp.async.bulk.tensor.{dimensions}d.global.shared::cta.{mode}.bulk_group [%d0, {at}], [box];")
        if mode != "tile::scatter4":
            yield Example(least, f"cp.reduce.async.bulk.tensor.{dimensions}d.global.shared::cta.add.{mode}.bulk_group [%d0, {at}], [box];")


def _matrices() -> Iterator[Example]:
    """mma, by the type of A."""

    def mma(head: str, shape: str, types: str, d: int, a: int, b: int, rest: str = "", behind: str = "") -> str:
        quads = [listed(d), listed(a, 8), listed(b, 16), listed(d, 24)]
        return f"mma{head}.{shape}.row.col{types}{behind} {', '.join(quads)}{rest};"

    plain = ".sync.aligned"
    for a, shape, types, d, na, nb in (
        ("f16", "m16n8k16", ".f32.f16.f16.f32", 4, 4, 2), ("bf16", "m16n8k16", ".f32.bf16.bf16.f32", 4, 4, 2), ("tf32", "m16n8k8", ".f32.tf32.tf32.f32", 4, 4, 2),
        ("s8", "m16n8k32", ".s32.s8.s8.s32", 4, 4, 2), ("u8", "m16n8k32", ".s32.u8.u8.s32", 4, 4, 2), ("s4", "m16n8k64", ".s32.s4.s4.s32", 4, 4, 2),
        ("u4", "m16n8k64", ".s32.u4.u4.s32", 4, 4, 2),
    ):  # fmt: skip
        yield Example("sm_80", mma(plain, shape, types, d, na, nb))
        for order in ("sp", "sp::ordered_metadata"):
            deeper = f"m16n8k{2 * int(shape[6:])}"
            yield Example("sm_80", mma(f".{order}{plain}", deeper, types, d, na, 4, ", %r30, 0"))
    yield Example("sm_80", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc " + ", ".join(listed(n, 8 * i) for i, n in enumerate((4, 4, 2, 4))) + ";")
    yield Example("sm_80", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5};")
    for a in ("e4m3", "e5m2"):
        yield Example("sm_89", mma(plain, "m16n8k32", f".f32.{a}.{a}.f32", 4, 4, 2))
        for order in ("sp", "sp::ordered_metadata"):
            yield Example("sm_89", mma(f".{order}{plain}", "m16n8k64", f".f32.{a}.{a}.f32", 4, 4, 4, ", %r30, 0"))
    scales = ", %r31, {0, 0}, %r32, {0, 0}"
    for kind, vector, types in (("f8f6f4", "", 5), ("mxf8f6f4", ".scale_vec::1X", 5), ("mxf4", ".scale_vec::2X", 1), ("mxf4nvf4", ".scale_vec::4X", 1)):
        of_scales = (".ue4m3" if kind == "mxf4nvf4" else ".ue8m0") if vector else ""
        k = 64 if types == 1 else 32
        for a in ("e2m1", "e2m3", "e3m2", "e4m3", "e5m2")[:types]:
            block = f".block_scale{vector}" if vector else ""
            yield Example("sm_120a", mma(f"{plain}.kind::{kind}{block}", f"m16n8k{k}", f".f32.{a}.{a}.f32", 4, 4, 2, scales if vector else "", of_scales))
            yield Example("sm_120a", mma(f"{plain}.kind::{kind}.sp::ordered_metadata{block}", f"m16n8k{2 * k}", f".f32.{a}.{a}.f32", 4, 4, 4,
                                         ", %r30, 0" + (scales if vector else ""), of_scales))  # fmt: skip
    for a, k, zeros in (("f16", 16, ", 1, 1, 0, 0"), ("bf16", 16, ", 1, 1, 0, 0"), ("tf32", 8, ", 1, 1"), ("e4m3", 32, ", 1, 1"), ("e5m2", 32, ", 1, 1"), ("s8", 32, ""), ("u8", 32, "")):
        d = "s32" if a in ("s8", "u8") else "f32"
        yield Example("sm_90a", f"wgmma.mma_async.sync.aligned.m64n8k{k}.{d}.{a}.{a} {listed(4)}, %d0, %d1, %p0{zeros};")
        yield Example("sm_90a", f"wgmma.mma_async.sp.sync.aligned.m64n8k{2 * k}.{d}.{a}.{a} {listed(4)}, %d0, %d1, %r8, 0, %p0{zeros};")


def _blackwell() -> Iterator[Example]:
    """tcgen05."""
    target = "sm_100a"
    for group in (_NONE, _PAIR):
        yield Example(target, f"tcgen05.alloc{group}.sync.aligned.shared::cta.b32 [box], 32;")
        yield Example(target, f"tcgen05.dealloc{group}.sync.aligned.b32 %r0, 32;")
        yield Example(target, f"tcgen05.relinquish_alloc_permit{group}.sync.aligned;")
        yield Example(target, f"tcgen05.commit{group}.mbarrier::arrive::one.shared::cluster.b64 [bar];")
        yield Example(target, f"tcgen05.commit{group}.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h0;")
        for shape, of in product(("128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"),
                                 ("", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64")):  # fmt: skip
            yield Example(target, f"tcgen05.cp{group}.{shape}{of} [%r0], %d0;")
        for kind in ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"):
            scales = kind.startswith("mx")
            block, factors = (".block_scale", ", [%r2], [%r3]") if scales else ("", "")
            block += ".block16" if kind == "mxf4nvf4" else ""
            for sparse, metadata in (("", ""), (".sp", ", [%r4]")):
                yield Example(target, f"tcgen05.mma{sparse}{group}.kind::{kind}{block} [%r0], %d0, %d1{metadata}, %r1{factors}, %p0;")
                if group == _NONE and not scales:
                    yield Example(target, f"tcgen05.mma.ws{sparse}{group}.kind::{kind} [%r0], %d0, %d1{metadata}, %r1, %p0;")
    for fence in ("before", "after"):
        yield Example(target, f"tcgen05.fence::{fence}_thread_sync;")
    for what in ("ld", "st"):
        yield Example(target, f"tcgen05.wait::{what}.sync.aligned;")
    for shape, count in (("32x32b", 1), ("16x64b", 1), ("16x128b", 2), ("16x256b", 4), ("16x32bx2", 1)):
        second = ", 16" if shape == "16x32bx2" else ""
        for packed in ("", "pack::16b."):
            yield Example(target, f"tcgen05.ld.sync.aligned.{shape}.x1.{packed}b32 {listed(count)}, [%r30]{second};")
            yield Example(target, f"tcgen05.st.sync.aligned.{shape}.x1.{'un' + packed if packed else ''}b32 [%r30]{second}, {listed(count)};")
        if shape in ("32x32b", "16x32bx2"):
            yield Example("sm_103a", f"tcgen05.ld.red.sync.aligned.{shape}.x2.min.u32 {listed(2)}, %r8, [%r30]{second};")


def examples() -> list[Example]:
    return [*_plain(), *_newer_than_hopper(), *_copies(), *_matrices(), *_blackwell()]


def module(target: str, of: list[Example]) -> str:
    """Kernels that hold them, and end as well as they like. Those with pairs of blocks have one of their own."""
    text = f".version 9.0\n.target {target}\n.address_size 64\n.func called()\n{{\nret;\n}}\n"
    for name in ("alone", "paired"):
        body = "\n".join(e.body or e.text for e in of if (_PAIR in e.text) == (name == "paired"))
        text += f".visible .entry {name}()\n{{\n{DECLARATIONS}{body}\n}}\n"
    return text


def rows() -> dict[str, str]:
    """Of each row the first architecture."""
    found: dict[str, str] = {}
    for example in examples():
        found.setdefault(example.row, example.target)
    return found


def lacking(modifiers: Mapping[str, frozenset[str]]) -> list[str]:
    """Sentences where the emulator's table has an opcode, or a modifier that tells instructions apart, of which no row is."""
    words: dict[str, set[str]] = {}
    for name in rows():
        opcode, *others = re.split(r"[. ]", name)
        words.setdefault(opcode, set()).update(others)
    sentences = [f"{opcode} has no row: forms/accepted.py lacks an example" for opcode in modifiers if opcode not in words]
    for opcode, known in modifiers.items():
        told_apart = {m for m in known if opcode in KEPT and KEPT[opcode].fullmatch(m)}
        sentences += [f"{opcode} with .{m} has no row: forms/accepted.py lacks an example" for m in sorted(told_apart - words.get(opcode, set()))]
    return sentences + [f"{opcode} has a row and is not in the emulator's table" for opcode in words if opcode not in modifiers]
