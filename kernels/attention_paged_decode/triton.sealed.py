# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Triton, split-KV flash decoding
#   author: Podium
#   arch: [sm_80+, gfx90a, gfx942, gfx950, gfx1100, gfx1201]
#   needs: [triton]
#   when: rope == 0
#   values:
#     block_n: "head_dim <= 128 ? 64 : 32"
#     visible: "max(1, window_left < 0 ? longest : min(longest, window_left + 1))"
#     pairs: "max(1, batch * kv_heads)"
#     # Some thousand programs balance the load, if pieces are long enough that merging them costs little. 528 is four for
#     # each multiprocessor of an H200: to have so many, pieces get shorter.
#     wanted: "max(min(4096 / pairs, visible / 512), min(528 / pairs, visible / 128), 1)"
#     chunk: "ceil_div(visible / ceil(wanted), block_n) * block_n"
#     splits: ceil_div(visible, chunk)
#     kept: "splits > 1 ? splits : 0"
#   scratch:
#     partial: { dtype: f32, shape: [batch, heads, kept, head_dim] }
#     partial_lse: { dtype: f32, shape: [batch, heads, kept] }
#   launches:
#     - kernel: attend
#       grid: [kv_heads, splits, batch]
#       arguments: [q, k_cache, v_cache, slope, sink, kv_indptr, kv_indices, last_page_len, out, lse, partial, partial_lse,
#                   i32(heads), i32(kv_heads), i32(chunk), i32(window_left), f32(soft_cap), f32(k_scale), f32(v_scale),
#                   bool(sinks), bool(with_lse)]
#       constants: { HEAD_DIM: head_dim, PAGE_SIZE: page_size, BLOCK_M: "max(16, next_power_of_2(heads / kv_heads))",
#                    BLOCK_N: block_n, SPLIT: splits > 1, SOFT_CAP: soft_cap > 0, ALIBI: alibi }
#       options: { num_warps: 4, num_stages: 3 }
#     - kernel: merge
#       grid: [heads, "splits > 1 ? batch : 0", head_dim / 32]
#       arguments: [partial, partial_lse, sink, kv_indptr, last_page_len, out, lse, i32(heads), i32(splits), i32(chunk),
#                   i32(window_left), bool(sinks), bool(with_lse)]
#       constants: { HEAD_DIM: head_dim, PAGE_SIZE: page_size, BLOCK_D: 32, BLOCK_S: "min(64, next_power_of_2(splits))" }
#       options: { num_warps: 4 }

# One program computes the heads that share a key head, as rows of one tile, over a piece of a request's keys. A second
# kernel merges the pieces. Scores are in units of log2, so that exp2 needs no multiplication.
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def keys_of(kv_indptr, last_page_len, b, window_left, PAGE_SIZE: tl.constexpr):
    """The keys [low, kv_len) that request b's token sees, and the place of its first page in the page table."""
    place = tl.load(kv_indptr + b)
    pages = tl.load(kv_indptr + b + 1) - place
    kv_len = max(0, (pages - 1) * PAGE_SIZE + tl.load(last_page_len + b))
    low = tl.where(window_left < 0, 0, max(0, kv_len - 1 - window_left))
    return low, kv_len, place


@triton.jit
def attend(q, k_cache, v_cache, slope, sink, kv_indptr, kv_indices, last_page_len, out, lse, partial, partial_lse, heads,
           kv_heads, chunk, window_left, soft_cap, k_scale, v_scale, sinks, with_lse, HEAD_DIM: tl.constexpr,
           PAGE_SIZE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, SPLIT: tl.constexpr,
           SOFT_CAP: tl.constexpr, ALIBI: tl.constexpr):
    g = tl.program_id(0)
    piece = tl.program_id(1)
    b = tl.program_id(2)
    low, kv_len, place = keys_of(kv_indptr, last_page_len, b, window_left, PAGE_SIZE)
    begin = low + piece * chunk
    end = min(begin + chunk, kv_len)
    if SPLIT:
        if begin >= end:
            return

    group = heads // kv_heads
    m = tl.arange(0, BLOCK_M)
    d = tl.arange(0, HEAD_DIM)
    exists = m < group
    head = b * heads + g * group + m
    q_tile = tl.load(q + head[:, None] * HEAD_DIM + d[None, :], mask=exists[:, None], other=0.0)
    scale = k_scale * HEAD_DIM**-0.5
    if ALIBI:
        slopes = tl.load(slope + g * group + m, mask=exists, other=0.0) * LOG2E
    if SPLIT:
        peak = tl.zeros((BLOCK_M,), tl.float32) - float("inf")
        total = tl.zeros((BLOCK_M,), tl.float32)
    else:  # a sink is a key without a value
        peak = tl.load(sink + g * group + m, mask=exists & sinks, other=-float("inf")) * LOG2E
        total = tl.zeros((BLOCK_M,), tl.float32) + tl.where(sinks, 1.0, 0.0)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), tl.float32)
    for first in range(begin, end, BLOCK_N):
        j = first + tl.arange(0, BLOCK_N)
        inside = j < end
        page = tl.load(kv_indices + place + j // PAGE_SIZE, mask=inside, other=0).to(tl.int64)
        at = ((page * PAGE_SIZE + j % PAGE_SIZE) * kv_heads + g)[:, None] * HEAD_DIM + d[None, :]
        k_tile = tl.load(k_cache + at, mask=inside[:, None], other=0.0).to(q_tile.dtype)
        s = tl.dot(q_tile, tl.trans(k_tile))
        if SOFT_CAP:  # tanh(x) = 1 - 2 / (1 + exp(2 x))
            s = soft_cap * LOG2E * (1 - 2 / (1 + tl.exp2(s * (2 * LOG2E * scale / soft_cap))))
        else:
            s = s * (LOG2E * scale)
        if ALIBI:
            s += slopes[:, None] * j[None, :].to(tl.float32)
        s = tl.where(inside[None, :], s, -float("inf"))
        highest = tl.maximum(peak, tl.max(s, 1))
        weight = tl.exp2(s - highest[:, None])
        rescale = tl.exp2(peak - highest)
        total = total * rescale + tl.sum(weight, 1)
        v_tile = tl.load(v_cache + at, mask=inside[:, None], other=0.0).to(q_tile.dtype)
        acc = tl.dot(weight.to(q_tile.dtype), v_tile, acc * rescale[:, None])
        peak = highest
    acc = acc * tl.where(total > 0, v_scale / total, 0.0)[:, None]
    if SPLIT:
        piece_at = head.to(tl.int64) * tl.num_programs(1) + piece
        tl.store(partial + piece_at[:, None] * HEAD_DIM + d[None, :], acc, mask=exists[:, None])
        tl.store(partial_lse + piece_at, peak + tl.log2(total), mask=exists)
    else:
        tl.store(out + head[:, None] * HEAD_DIM + d[None, :], acc.to(out.dtype.element_ty), mask=exists[:, None])
        tl.store(lse + head, peak + tl.log2(total), mask=exists & with_lse)


@triton.jit
def merge(partial, partial_lse, sink, kv_indptr, last_page_len, out, lse, heads, splits, chunk, window_left, sinks,
          with_lse, HEAD_DIM: tl.constexpr, PAGE_SIZE: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_S: tl.constexpr):
    h = tl.program_id(0)
    b = tl.program_id(1)
    d = tl.program_id(2) * BLOCK_D + tl.arange(0, BLOCK_D)
    low, kv_len, place = keys_of(kv_indptr, last_page_len, b, window_left, PAGE_SIZE)
    pieces = tl.cdiv(kv_len - low, chunk)
    head = b * heads + h
    peak = tl.load(sink + h, mask=sinks, other=-float("inf")) * LOG2E
    total = tl.where(sinks, 1.0, 0.0)
    acc = tl.zeros((BLOCK_D,), tl.float32)
    for first in range(0, pieces, BLOCK_S):
        piece = first + tl.arange(0, BLOCK_S)
        piece_at = head.to(tl.int64) * splits + piece
        state = tl.load(partial_lse + piece_at, mask=piece < pieces, other=-float("inf"))
        value = tl.load(partial + piece_at[:, None] * HEAD_DIM + d[None, :], mask=piece[:, None] < pieces, other=0.0)
        highest = tl.maximum(peak, tl.max(state, 0))
        weight = tl.exp2(state - highest)
        rescale = tl.exp2(peak - highest)
        total = total * rescale + tl.sum(weight, 0)
        acc = acc * rescale + tl.sum(weight[:, None] * value, 0)
        peak = highest
    acc = acc * tl.where(total > 0, 1 / total, 0.0)
    tl.store(out + head * HEAD_DIM + d, acc.to(out.dtype.element_ty))
    tl.store(lse + head, peak + tl.log2(total), mask=with_lse)
