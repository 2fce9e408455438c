# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Triton, split-KV flash attention
#   author: Podium
#   arch: [sm_80+, gfx90a, gfx942, gfx950, gfx1100, gfx1201]
#   needs: [triton]
#   when: rope == 0
#   values:
#     rows: q_longest * heads / kv_heads
#     block_m: "max(16, min(shared_memory < 131072 ? 64 : 128, next_power_of_2(rows)))"
#     block_n: "head_dim > 128 ? 32 : 64"
#     tiles: ceil_div(rows, block_m)
#     most_keys: "max(1, window_left < 0 ? longest_kv : min(longest_kv, window_left + q_longest))"
#     programs: "max(1, batch * kv_heads * tiles)"
#     # Some thousand programs balance the load, if pieces are long enough that merging them costs little. 528 is four for
#     # each multiprocessor of an H200: to have so many, pieces get shorter.
#     wanted: "max(min(4096 / programs, most_keys / (64 * max(8, rows))), min(528 / programs, most_keys / 128), 1)"
#     chunk: "ceil_div(most_keys / ceil(wanted), block_n) * block_n"
#     splits: ceil_div(most_keys, chunk)
#     kept: "splits > 1 ? splits : 0"
#   scratch:
#     partial: { dtype: f32, shape: [queries, heads, kept, head_dim] }
#     partial_lse: { dtype: f32, shape: [queries, heads, kept] }
#   launches:
#     - kernel: attend
#       grid: [kv_heads * tiles, splits, batch]
#       arguments: [q, k_cache, v_cache, slope, sink, qo_indptr, kv_indptr, kv_indices, last_page_len, out, lse, partial,
#                   partial_lse, i32(heads), i32(kv_heads), i32(chunk), bool(causal), i32(window_left), f32(soft_cap),
#                   f32(k_scale), f32(v_scale), bool(sinks), bool(with_lse)]
#       constants: { HEAD_DIM: head_dim, PAGE_SIZE: page_size, BLOCK_M: block_m, BLOCK_N: block_n, SPLIT: splits > 1,
#                    SOFT_CAP: soft_cap > 0, ALIBI: alibi }
#       options: { num_warps: "max(4, block_m / 16)", num_stages: "shared_memory < 131072 ? 2 : block_m > 64 ? 3 : 5" }
#     - kernel: merge
#       grid: [heads * head_dim / 32, q_longest, "splits > 1 ? batch : 0"]
#       arguments: [partial, partial_lse, sink, qo_indptr, kv_indptr, last_page_len, out, lse, i32(heads), i32(splits),
#                   i32(chunk), i32(window_left), bool(sinks), bool(with_lse)]
#       constants: { HEAD_DIM: head_dim, PAGE_SIZE: page_size, BLOCK_D: 32, BLOCK_S: "min(32, next_power_of_2(splits))" }
#       options: { num_warps: 1 }

# One program computes BLOCK_M rows over a piece of a request's keys; rows are its queries, of each all heads that share a
# key head. A second kernel merges the pieces. Scores are in units of log2, so that exp2 needs no multiplication.
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def request(qo_indptr, kv_indptr, last_page_len, b, window_left, PAGE_SIZE: tl.constexpr):
    """Request b: its first query and their number, its first visible key and their end, its place in the page table."""
    token = tl.load(qo_indptr + b)
    q_len = tl.load(qo_indptr + b + 1) - token
    place = tl.load(kv_indptr + b)
    pages = tl.load(kv_indptr + b + 1) - place
    kv_len = max(0, (pages - 1) * PAGE_SIZE + tl.load(last_page_len + b))
    low = tl.where(window_left < 0, 0, max(0, kv_len - q_len - window_left))
    return token, q_len, low, kv_len, place


@triton.jit
def attend(q, k_cache, v_cache, slope, sink, qo_indptr, kv_indptr, kv_indices, last_page_len, out, lse, partial,
           partial_lse, heads, kv_heads, chunk, causal, window_left, soft_cap, k_scale, v_scale, sinks, with_lse,
           HEAD_DIM: tl.constexpr, PAGE_SIZE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
           SPLIT: tl.constexpr, SOFT_CAP: tl.constexpr, ALIBI: tl.constexpr):
    g = tl.program_id(0) % kv_heads
    tile = tl.program_id(0) // kv_heads
    piece = tl.program_id(1)
    token, q_len, low, kv_len, place = request(qo_indptr, kv_indptr, last_page_len, tl.program_id(2), window_left,
                                               PAGE_SIZE)
    group = heads // kv_heads
    begin = low + piece * chunk
    end = min(begin + chunk, kv_len)
    if tile * BLOCK_M >= q_len * group:
        return
    if SPLIT:
        if begin >= end:
            return

    m = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    d = tl.arange(0, HEAD_DIM)
    exists = m < q_len * group
    query = m // group
    h = g * group + m % group
    head = (token + query) * heads + h
    q_tile = tl.load(q + head.to(tl.int64)[:, None] * HEAD_DIM + d[None, :], mask=exists[:, None], other=0.0)
    first_seen = query + tl.where(window_left < 0, -q_len, kv_len - q_len - window_left)
    last_seen = tl.where(causal, query + kv_len - q_len, kv_len - 1)
    scale = k_scale * HEAD_DIM**-0.5
    if ALIBI:
        slopes = tl.load(slope + h, mask=exists, other=0.0) * LOG2E
    if SPLIT:
        peak = tl.zeros((BLOCK_M,), tl.float32) - float("inf")
        total = tl.zeros((BLOCK_M,), tl.float32)
    else:  # a sink is a key without a value
        peak = tl.load(sink + h, mask=exists & sinks, other=-float("inf")) * LOG2E
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
            s += slopes[:, None] * (j[None, :] - query[:, None]).to(tl.float32)
        sees = inside[None, :] & (j[None, :] >= first_seen[:, None]) & (j[None, :] <= last_seen[:, None])
        s = tl.where(sees, s, -float("inf"))
        highest = tl.maximum(peak, tl.max(s, 1))
        # A row that has seen no key yet: minus infinity less minus infinity is no number.
        base = tl.where(highest == -float("inf"), 0.0, highest)
        weight = tl.exp2(s - base[:, None])
        rescale = tl.exp2(peak - base)
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
        tl.store(out + head.to(tl.int64)[:, None] * HEAD_DIM + d[None, :], acc.to(out.dtype.element_ty),
                 mask=exists[:, None])
        tl.store(lse + head, peak + tl.log2(total), mask=exists & with_lse)


@triton.jit
def merge(partial, partial_lse, sink, qo_indptr, kv_indptr, last_page_len, out, lse, heads, splits, chunk, window_left,
          sinks, with_lse, HEAD_DIM: tl.constexpr, PAGE_SIZE: tl.constexpr, BLOCK_D: tl.constexpr,
          BLOCK_S: tl.constexpr):
    h = tl.program_id(0) % heads
    query = tl.program_id(1)
    d = tl.program_id(0) // heads * BLOCK_D + tl.arange(0, BLOCK_D)
    token, q_len, low, kv_len, place = request(qo_indptr, kv_indptr, last_page_len, tl.program_id(2), window_left,
                                               PAGE_SIZE)
    if query >= q_len:
        return
    pieces = tl.cdiv(kv_len - low, chunk)
    head = ((token + query) * heads + h).to(tl.int64)
    peak = tl.load(sink + h, mask=sinks, other=-float("inf")) * LOG2E
    total = tl.where(sinks, 1.0, 0.0)
    acc = tl.zeros((BLOCK_D,), tl.float32)
    for first in range(0, pieces, BLOCK_S):
        piece = first + tl.arange(0, BLOCK_S)
        state = tl.load(partial_lse + head * splits + piece, mask=piece < pieces, other=-float("inf"))
        value = tl.load(partial + (head * splits + piece)[:, None] * HEAD_DIM + d[None, :],
                        mask=piece[:, None] < pieces, other=0.0)
        highest = tl.maximum(peak, tl.max(state, 0))
        base = tl.where(highest == -float("inf"), 0.0, highest)
        weight = tl.exp2(state - base)
        rescale = tl.exp2(peak - base)
        total = total * rescale + tl.sum(weight, 0)
        acc = acc * rescale + tl.sum(weight[:, None] * value, 0)
        peak = highest
    acc = acc * tl.where(total > 0, 1 / total, 0.0)
    tl.store(out + head * HEAD_DIM + d, acc.to(out.dtype.element_ty))
    tl.store(lse + head, peak + tl.log2(total), mask=with_lse)
