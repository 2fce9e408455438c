# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The instruction table: what translates an opcode, and which modifiers it may have beside types. A modifier that is not listed makes an
instruction unknown: nothing is ignored silently. sections.py says where the PTX ISA describes each instruction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import arithmetic as a
from . import cluster_launch
from . import compare_convert as c
from . import memory as m
from . import sparsity
from . import tcgen05 as blackwell
from . import tensor_copies as tensors
from . import together as g
from . import wgmma as w
from . import wmma
from .body import Body
from .lexer import Instruction


@dataclass(frozen=True)
class Row:
    translate: Callable[[Body, Instruction], str]
    modifiers: frozenset[str]


def _row(translate: Callable[[Body, Instruction], str], modifiers: str = "") -> Row:
    return Row(translate, frozenset(modifiers.split()))


_ROUND = "rn rz rm rp"
_VECTOR = "v2 v4 v8"
_SPACES = "global shared shared::cta shared::cluster local param param::entry param::func const"
_ORDER = "relaxed acquire release acq_rel volatile weak mmio cta cluster gpu sys sc"
_CACHE = (
    "ca cg cs cv lu wb wt nc L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
    "L2::evict_first L2::evict_last L2::evict_normal L2::cache_hint L2::64B L2::128B L2::256B noftz"
)
_ASYNC = "async mbarrier::complete_tx::bytes"
_ATOMIC = "add min max and or xor exch cas inc dec"
_WGMMA = "mma_async sp fence commit_group wait_group sync aligned satfinite e4m3 e5m2 " + " ".join(
    f"m64n{n}k{k}" for n in range(8, 257, 8) for k in (8, 16, 32, 64)
)
_TCGEN05 = (
    "alloc dealloc relinquish_alloc_permit ld st wait::ld wait::st fence::before_thread_sync fence::after_thread_sync commit cp "
    "mma sp cta_group::1 cta_group::2 sync aligned shared::cta shared::cluster 32x32b 16x64b 16x128b 16x256b 16x32bx2 x1 x2 x4 x8 "
    "x16 x32 x64 x128 red min max abs NaN pack::16b unpack::16b mbarrier::arrive::one multicast::cluster 128x256b 4x256b 128x128b 64x128b 32x128b "
    "warpx2::02_13 warpx2::01_23 warpx4 b8x16 b6x16_p32 b4x16_p64 ws block_scale scale_vec::1X scale_vec::2X scale_vec::4X "
    "block16 block32 kind::f16 kind::tf32 kind::f8f6f4 kind::i8 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4 "
    "collector::a::fill collector::a::use collector::a::lastuse collector::a::discard " +
    " ".join(f"collector::b{i}::{use}" for i in range(4) for use in ("fill", "use", "lastuse", "discard"))
)
_TENSORMAP = (
    "replace tile b1024 global shared::cta cp_fenceproxy tensormap::generic release cta cluster gpu sys sync aligned " + " ".join(tensors.FIELDS)
)
_CANCEL = (
    "try_cancel query_cancel async shared::cta mbarrier::complete_tx::bytes multicast::cluster::all is_canceled v4 "
    "get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z"
)
_BARRIER = "sync arrive wait red popc and or cta warp aligned cluster acquire release relaxed"

_COMPARISON = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
_PREFETCH = "global local param const tensormap L1 L2 L2::evict_last L2::evict_normal"
_POLICY = "fractional range cvt global L2 L2::evict_first L2::evict_last L2::evict_normal L2::evict_unchanged"
_SHARED = "shared shared::cta shared::cluster"
_COPY = (
    f"async bulk tensor global {_SHARED} ca cg L2 L2::64B L2::128B L2::256B L2::cache_hint commit_group wait_group wait_all read "
    "bulk_group mbarrier arrive noinc mbarrier::complete_tx::bytes multicast::cluster cta_group::1 cta_group::2 prefetch "
    "1d 2d 3d 4d 5d tile tile::gather4 tile::scatter4 im2col im2col_no_offs im2col::w im2col::w::128 "
    "reduce add min max inc dec and or xor noftz"
)
_FENCE = (
    f"sc acquire release acq_rel relaxed cta cluster gpu gl sys proxy alias async async::generic tensormap tensormap::generic global {_SHARED} "
    "mbarrier_init sync_restrict::shared::cta sync_restrict::shared::cluster"
)
_MBARRIER = (
    f"init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait pending_count noComplete parity {_SHARED} "
    "relaxed acquire release cta cluster"
)
_ROWS_OF_MATRIX = f"sync aligned m8n8 m8n16 m16n8 m16n16 x1 x2 x4 trans {_SHARED} b8x16 b6x16_p32 b4x16_p64"
_MMA = (
    "sync aligned row col satfinite xor and popc sp sp::ordered_metadata block_scale scale_vec::1X scale_vec::2X scale_vec::4X "
    "kind::f8f6f4 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4 b1 s4 u4 e2m1 e2m3 e3m2 e4m3 e5m2 ue8m0 ue4m3 "
    "m8n8k4 m8n8k16 m8n8k32 m8n8k128 " + " ".join(f"m16n8k{k}" for k in (4, 8, 16, 32, 64, 128, 256))
)
_WMMA = (
    f"load mma store a b c d sync aligned row col satfinite xor and popc s4 u4 b1 {_ROUND} global shared shared::cta "
    "m16n16k16 m32n8k16 m8n32k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128"
)

TABLE: dict[str, Row] = {
    "add": _row(a.arithmetic("add"), f"{_ROUND} ftz sat cc"),
    "sub": _row(a.arithmetic("sub"), f"{_ROUND} ftz sat cc"),
    "mul": _row(a.multiply, f"{_ROUND} ftz sat lo hi wide"),
    "mad": _row(a.multiply_add, f"{_ROUND} ftz sat lo hi wide cc"),
    "fma": _row(a.arithmetic("fma"), f"{_ROUND} ftz sat relu oob"),
    "div": _row(a.divide, f"{_ROUND} ftz approx full"),
    "rem": _row(a.remainder),
    "mul24": _row(a.multiply24, "lo hi"),
    "mad24": _row(a.multiply24, "lo hi sat"),
    "addc": _row(a.with_carry("add_carry"), "cc"),
    "subc": _row(a.with_carry("sub_carry"), "cc"),
    "madc": _row(a.multiply_add, "lo hi cc"),
    "min": _row(a.extreme("min"), "ftz NaN xorsign abs relu"),
    "max": _row(a.extreme("max"), "ftz NaN xorsign abs relu"),
    "neg": _row(a.unary("neg"), "ftz"),
    "abs": _row(a.unary("abs"), "ftz"),
    "sad": _row(a.absolute_difference),
    "dp4a": _row(a.dot(4)),
    "dp2a": _row(a.dot(2), "lo hi"),
    "bfe": _row(a.extract),
    "bfi": _row(a.insert),
    "szext": _row(a.extend, "clamp wrap"),
    "bfind": _row(a.find, "shiftamt"),
    "fns": _row(a.find_nth),
    "bmsk": _row(a.mask, "clamp wrap"),
    "brev": _row(a.count_bits("brev")),
    "clz": _row(a.count_bits("clz")),
    "popc": _row(a.count_bits("popc")),
    "sqrt": _row(a.root_like("square_root", "sqrt"), f"{_ROUND} ftz approx"),
    "rcp": _row(a.root_like("reciprocal", "rcp"), f"{_ROUND} ftz approx"),
    "rsqrt": _row(a.root_like("reciprocal_root", None), "ftz approx"),
    "ex2": _row(a.unary("approximate_ex2"), "ftz approx"),
    "lg2": _row(a.unary("approximate_lg2"), "ftz approx"),
    "sin": _row(a.unary("approximate_sin"), "ftz approx"),
    "cos": _row(a.unary("approximate_cos"), "ftz approx"),
    "tanh": _row(a.unary("approximate_tanh"), "approx"),
    "copysign": _row(a.copysign),
    "testp": _row(a.test_property, "finite infinite number notanumber normal subnormal"),
    "setp": _row(c.set_predicate, _COMPARISON),
    "set": _row(c.set_value, _COMPARISON),
    "selp": _row(c.select),
    "slct": _row(c.select_by_sign, "ftz"),
    "and": _row(a.logic("&")),
    "or": _row(a.logic("|")),
    "xor": _row(a.logic("^")),
    "not": _row(a.negate_bits),
    "cnot": _row(a.is_zero),
    "lop3": _row(a.truth_table, "and or"),
    "shl": _row(a.shift("shl")),
    "shr": _row(a.shift("shr")),
    "shf": _row(a.funnel_shift, "l r clamp wrap"),
    "mov": _row(w.move),
    "prmt": _row(a.permute, "f4e b4e rc8 ecl ecr rc16"),
    "cvt": _row(c.convert, f"{_ROUND} rs rna rni rzi rmi rpi ftz sat satfinite relu pack"
    ),
    "ld": _row(m.load, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR}"),
    "ldu": _row(m.load, f"{_SPACES} {_VECTOR}"),
    "st": _row(tensors.store, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ASYNC}"),
    "cvta": _row(m.convert_address, f"to {_SPACES}"),
    "isspacep": _row(m.is_in_space, _SPACES),
    "mapa": _row(m.map_address, _SPACES),
    "getctarank": _row(m.get_rank, _SPACES),
    "prefetch": _row(m.nothing, _PREFETCH),
    "prefetchu": _row(m.nothing, "L1"),
    "applypriority": _row(m.nothing, "global L2::evict_normal"),
    "discard": _row(m.discard, "global L2"),
    "createpolicy": _row(m.policy, _POLICY),
    "cp": _row(tensors.copy, _COPY),
    "tensormap": _row(tensors.change_map, _TENSORMAP),
    "shfl": _row(g.shuffle, "sync up down bfly idx"),
    "bra": _row(g.branch, "uni"),
    "brx": _row(g.branch_indexed, "idx uni"),
    "call": _row(g.call, "uni"),
    "ret": _row(g.end, "uni"),
    "exit": _row(g.end),
    "bar": _row(g.barrier, _BARRIER),
    "barrier": _row(g.barrier, _BARRIER),
    "membar": _row(m.fence, _FENCE),
    "fence": _row(m.fence, _FENCE),
    "atom": _row(m.atomic, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ATOMIC}"),
    "red": _row(tensors.reduction, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ATOMIC} {_ASYNC}"),
    "vote": _row(g.vote, "sync all any uni ballot"),
    "match": _row(g.match, "sync all any"),
    "activemask": _row(g.active_mask),
    "redux": _row(g.reduce, "sync add min max and or xor abs NaN"),
    "elect": _row(g.elect, "sync"),
    "griddepcontrol": _row(m.grid_dependency, "launch_dependents wait"),
    "mbarrier": _row(m.mbarrier, _MBARRIER),
    "clusterlaunchcontrol": _row(cluster_launch.cluster_launch_control, _CANCEL),
    "ldmatrix": _row(g.load_matrix, _ROWS_OF_MATRIX),
    "stmatrix": _row(g.store_matrix, _ROWS_OF_MATRIX),
    "movmatrix": _row(g.move_matrix, "sync aligned m8n8 trans"),
    "mma": _row(sparsity.multiply, _MMA),
    "wmma": _row(wmma.translate, _WMMA),
    "wgmma": _row(w.wgmma, _WGMMA
    ),
    "tcgen05": _row(blackwell.tcgen05,
        _TCGEN05,
    ),
    "nanosleep": _row(g.sleep),
    "trap": _row(g.trap),
    "brkpt": _row(g.trap),
    "pmevent": _row(m.nothing, "mask"),
    "setmaxnreg": _row(m.nothing, "inc dec sync aligned"),
}
