# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The instruction table: what translates an opcode, which modifiers it may have beside types, and where the PTX ISA (9.0)
describes it. A modifier that is not listed makes an instruction unknown: nothing is ignored silently."""

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
    section: str
    translate: Callable[[Body, Instruction], str]
    modifiers: frozenset[str]


def _row(section: str, translate: Callable[[Body, Instruction], str], modifiers: str = "") -> Row:
    return Row(section, translate, frozenset(modifiers.split()))


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
    "x16 x32 x64 x128 pack::16b unpack::16b mbarrier::arrive::one multicast::cluster 128x256b 4x256b 128x128b 64x128b 32x128b "
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

_INTEGER, _EXTENDED, _FLOAT = "9.7.1 Integer Arithmetic", "9.7.2 Extended-Precision Integer", "9.7.3 Floating-Point"
_COMPARE, _LOGIC, _DATA = "9.7.6 Comparison and Selection", "9.7.8 Logic and Shift", "9.7.9 Data Movement and Conversion"
_CONTROL, _PARALLEL = "9.7.12 Control Flow", "9.7.13 Parallel Synchronization and Communication"
_MATRIX, _OTHER = "9.7.14 Warp-Level Matrix", "9.7.19 Miscellaneous"

TABLE: dict[str, Row] = {
    "add": _row(f"{_INTEGER}: add; {_FLOAT}: add", a.arithmetic("add"), f"{_ROUND} ftz sat cc"),
    "sub": _row(f"{_INTEGER}: sub; {_FLOAT}: sub", a.arithmetic("sub"), f"{_ROUND} ftz sat cc"),
    "mul": _row(f"{_INTEGER}: mul; {_FLOAT}: mul", a.multiply, f"{_ROUND} ftz sat lo hi wide"),
    "mad": _row(f"{_INTEGER}: mad; {_FLOAT}: mad", a.multiply_add, f"{_ROUND} ftz sat lo hi wide cc"),
    "fma": _row(f"{_FLOAT}: fma", a.arithmetic("fma"), f"{_ROUND} ftz sat relu oob"),
    "div": _row(f"{_INTEGER}: div; {_FLOAT}: div", a.divide, f"{_ROUND} ftz approx full"),
    "rem": _row(f"{_INTEGER}: rem", a.remainder),
    "mul24": _row(f"{_INTEGER}: mul24", a.multiply24, "lo hi"),
    "mad24": _row(f"{_INTEGER}: mad24", a.multiply24, "lo hi sat"),
    "addc": _row(f"{_EXTENDED}: addc", a.with_carry("add_carry"), "cc"),
    "subc": _row(f"{_EXTENDED}: subc", a.with_carry("sub_borrow"), "cc"),
    "madc": _row(f"{_EXTENDED}: madc", a.multiply_add, "lo hi cc"),
    "min": _row(f"{_INTEGER}: min; {_FLOAT}: min", a.extreme("min"), "ftz NaN xorsign abs relu"),
    "max": _row(f"{_INTEGER}: max; {_FLOAT}: max", a.extreme("max"), "ftz NaN xorsign abs relu"),
    "neg": _row(f"{_INTEGER}: neg; {_FLOAT}: neg", a.unary("neg"), "ftz"),
    "abs": _row(f"{_INTEGER}: abs; {_FLOAT}: abs", a.unary("abs"), "ftz"),
    "sad": _row(f"{_INTEGER}: sad", a.absolute_difference),
    "dp4a": _row(f"{_INTEGER}: dp4a", a.dot(4)),
    "dp2a": _row(f"{_INTEGER}: dp2a", a.dot(2), "lo hi"),
    "bfe": _row(f"{_INTEGER}: bfe", a.extract),
    "bfi": _row(f"{_INTEGER}: bfi", a.insert),
    "szext": _row(f"{_INTEGER}: szext", a.extend, "clamp wrap"),
    "bfind": _row(f"{_INTEGER}: bfind", a.find, "shiftamt"),
    "fns": _row(f"{_INTEGER}: fns", a.find_nth),
    "bmsk": _row(f"{_INTEGER}: bmsk", a.mask, "clamp wrap"),
    "brev": _row(f"{_INTEGER}: brev", a.count_bits("brev")),
    "clz": _row(f"{_INTEGER}: clz", a.count_bits("clz")),
    "popc": _row(f"{_INTEGER}: popc", a.count_bits("popc")),
    "sqrt": _row(f"{_FLOAT}: sqrt", a.root_like("square_root", "sqrt"), f"{_ROUND} ftz approx"),
    "rcp": _row(f"{_FLOAT}: rcp", a.root_like("reciprocal", "rcp"), f"{_ROUND} ftz approx"),
    "rsqrt": _row(f"{_FLOAT}: rsqrt", a.root_like("reciprocal_root", None), "ftz approx"),
    "ex2": _row(f"{_FLOAT}: ex2", a.unary("approximate_ex2"), "ftz approx"),
    "lg2": _row(f"{_FLOAT}: lg2", a.unary("approximate_lg2"), "ftz approx"),
    "sin": _row(f"{_FLOAT}: sin", a.unary("approximate_sin"), "ftz approx"),
    "cos": _row(f"{_FLOAT}: cos", a.unary("approximate_cos"), "ftz approx"),
    "tanh": _row(f"{_FLOAT}: tanh", a.unary("approximate_tanh"), "approx"),
    "copysign": _row(f"{_FLOAT}: copysign", a.copysign),
    "testp": _row(f"{_FLOAT}: testp", a.test_property, "finite infinite number notanumber normal subnormal"),
    "setp": _row(f"{_COMPARE}: setp", c.set_predicate, _COMPARISON),
    "set": _row(f"{_COMPARE}: set", c.set_value, _COMPARISON),
    "selp": _row(f"{_COMPARE}: selp", c.select),
    "slct": _row(f"{_COMPARE}: slct", c.select_by_sign, "ftz"),
    "and": _row(f"{_LOGIC}: and", a.logic("&")),
    "or": _row(f"{_LOGIC}: or", a.logic("|")),
    "xor": _row(f"{_LOGIC}: xor", a.logic("^")),
    "not": _row(f"{_LOGIC}: not", a.negate_bits),
    "cnot": _row(f"{_LOGIC}: cnot", a.is_zero),
    "lop3": _row(f"{_LOGIC}: lop3", a.truth_table, "and or"),
    "shl": _row(f"{_LOGIC}: shl", a.shift("shl")),
    "shr": _row(f"{_LOGIC}: shr", a.shift("shr")),
    "shf": _row(f"{_LOGIC}: shf", a.funnel_shift, "l r clamp wrap"),
    "mov": _row(f"{_DATA}: mov", w.move),
    "prmt": _row(f"{_DATA}: prmt", a.permute, "f4e b4e rc8 ecl ecr rc16"),
    "cvt": _row(
        f"{_DATA}: cvt", c.convert, f"{_ROUND} rs rna rni rzi rmi rpi ftz sat satfinite relu pack"
    ),
    "ld": _row(f"{_DATA}: ld", m.load, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR}"),
    "ldu": _row(f"{_DATA}: ldu", m.load, f"{_SPACES} {_VECTOR}"),
    "st": _row(f"{_DATA}: st, st.async", tensors.store, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ASYNC}"),
    "cvta": _row(f"{_DATA}: cvta", m.convert_address, f"to {_SPACES}"),
    "isspacep": _row(f"{_DATA}: isspacep", m.is_in_space, _SPACES),
    "mapa": _row(f"{_DATA}: mapa", m.map_address, _SPACES),
    "getctarank": _row(f"{_DATA}: getctarank", m.get_rank, _SPACES),
    "prefetch": _row(f"{_DATA}: prefetch", m.nothing, _PREFETCH),
    "prefetchu": _row(f"{_DATA}: prefetchu", m.nothing, "L1"),
    "applypriority": _row(f"{_DATA}: applypriority", m.nothing, "global L2::evict_normal"),
    "discard": _row(f"{_DATA}: discard", m.nothing, "global L2"),
    "createpolicy": _row(f"{_DATA}: createpolicy", m.policy, _POLICY),
    "cp": _row(f"{_DATA}: cp.async, cp.async.bulk, cp.async.bulk.tensor, cp.reduce.async.bulk", tensors.copy, _COPY),
    "tensormap": _row(f"{_DATA}: tensormap.replace; {_PARALLEL}: tensormap.cp_fenceproxy", tensors.change_map, _TENSORMAP),
    "shfl": _row(f"{_DATA}: shfl.sync", g.shuffle, "sync up down bfly idx"),
    "bra": _row(f"{_CONTROL}: bra", g.branch, "uni"),
    "brx": _row(f"{_CONTROL}: brx.idx", g.branch_indexed, "idx uni"),
    "call": _row(f"{_CONTROL}: call", g.call, "uni"),
    "ret": _row(f"{_CONTROL}: ret", g.end, "uni"),
    "exit": _row(f"{_CONTROL}: exit", g.end),
    "bar": _row(f"{_PARALLEL}: bar", g.barrier, _BARRIER),
    "barrier": _row(f"{_PARALLEL}: barrier, barrier.cluster", g.barrier, _BARRIER),
    "membar": _row(f"{_PARALLEL}: membar", m.fence, _FENCE),
    "fence": _row(f"{_PARALLEL}: fence", m.fence, _FENCE),
    "atom": _row(f"{_PARALLEL}: atom", m.atomic, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ATOMIC}"),
    "red": _row(f"{_PARALLEL}: red, red.async", tensors.reduction, f"{_SPACES} {_ORDER} {_CACHE} {_VECTOR} {_ATOMIC} {_ASYNC}"),
    "vote": _row(f"{_PARALLEL}: vote.sync", g.vote, "sync all any uni ballot"),
    "match": _row(f"{_PARALLEL}: match.sync", g.match, "sync all any"),
    "activemask": _row(f"{_PARALLEL}: activemask", g.active_mask),
    "redux": _row(f"{_PARALLEL}: redux.sync", g.reduce, "sync add min max and or xor abs NaN"),
    "elect": _row(f"{_PARALLEL}: elect.sync", g.elect, "sync"),
    "griddepcontrol": _row(f"{_PARALLEL}: griddepcontrol", m.nothing, "launch_dependents wait"),
    "mbarrier": _row(f"{_PARALLEL}: mbarrier", m.mbarrier, _MBARRIER),
    "clusterlaunchcontrol": _row(f"{_PARALLEL}: clusterlaunchcontrol", cluster_launch.cluster_launch_control, _CANCEL),
    "ldmatrix": _row(f"{_MATRIX}: ldmatrix", g.load_matrix, _ROWS_OF_MATRIX),
    "stmatrix": _row(f"{_MATRIX}: stmatrix", g.store_matrix, _ROWS_OF_MATRIX),
    "movmatrix": _row(f"{_MATRIX}: movmatrix", g.move_matrix, "sync aligned m8n8 trans"),
    "mma": _row(f"{_MATRIX}: mma, mma.sp", sparsity.multiply, _MMA),
    "wmma": _row(f"{_MATRIX}: wmma.load, wmma.mma, wmma.store", wmma.translate, _WMMA),
    "wgmma": _row(
        "9.7.15 Asynchronous Warpgroup Level Matrix: wgmma.mma_async, .fence, .commit_group, .wait_group", w.wgmma, _WGMMA
    ),
    "tcgen05": _row(
        "9.7.16 TensorCore 5th Generation: tcgen05.alloc, .dealloc, .relinquish_alloc_permit, .ld, .st, .wait, .cp, .mma, "
        ".fence, .commit",
        blackwell.tcgen05,
        _TCGEN05,
    ),
    "nanosleep": _row(f"{_OTHER}: nanosleep", g.sleep),
    "trap": _row(f"{_OTHER}: trap", g.trap),
    "brkpt": _row(f"{_OTHER}: brkpt", g.trap),
    "pmevent": _row(f"{_OTHER}: pmevent", m.nothing, "mask"),
    "setmaxnreg": _row(f"{_OTHER}: setmaxnreg", m.nothing, "inc dec sync aligned"),
}
