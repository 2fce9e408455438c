# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Triton, flash attention
#   author: Podium
#   arch: [sm_80+, gfx90a, gfx942, gfx950, gfx1100, gfx1201]
#   needs: [triton]
#   values:
#     block_m: 128
#     block_n: "head_dim <= 128 ? 128 : 64"
#     tiles: ceil_div(q_len, block_m)
#     # Heads that are walked together: their keys and values are to stay in a second-level cache, of which they get 16 MiB.
#     together: "heads / kv_heads * max(1, floor(16777216 / max(1, 2 * size(real) * kv_len * head_dim)))"
#   launches:
#     - kernel: flash
#       grid: ["tiles * heads * batch"]
#       arguments: [q, k, v, slope, sink, out, lse, i32(q_len), i32(kv_len), i32(heads), i32(kv_heads),
#                   "i32(batch * heads)", "i32(min(together, batch * heads))", bool(causal), i32(window_left),
#                   f32(soft_cap), bool(sinks), bool(with_lse)]
#       constants: { HEAD_DIM: head_dim, BLOCK_M: block_m, BLOCK_N: block_n, SOFT_CAP: soft_cap > 0, ALIBI: alibi }
#       options: { num_warps: 8, num_stages: 3 }

# One program computes BLOCK_M queries of one head. Scores are in units of log2, so that exp2 needs no multiplication.
# Most keys are seen by every query of the tile: their loop has no mask.
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def walk(state, q, k, v, stride, begin, end, row, low, high, kv_len, soft_cap, slope, HEAD_DIM: tl.constexpr,
         BLOCK_N: tl.constexpr, SOFT_CAP: tl.constexpr, ALIBI: tl.constexpr, MASKED: tl.constexpr):
    """Adds the keys [begin, end) to the weighted values, the largest score and the sum of weights of every row."""
    acc, peak, total = state
    d = tl.arange(0, HEAD_DIM)
    for first in range(begin, end, BLOCK_N):
        j = first + tl.arange(0, BLOCK_N)
        at = j.to(tl.int64)[:, None] * stride + d[None, :]
        exists = j[:, None] < kv_len
        k_tile = tl.load(k + at, mask=exists, other=0.0) if MASKED else tl.load(k + at)
        s = tl.dot(q, tl.trans(k_tile))
        if SOFT_CAP:  # tanh(x) = 1 - 2 / (1 + exp(2 x))
            s = soft_cap * LOG2E * (1 - 2 / (1 + tl.exp2(s * (2 * LOG2E * HEAD_DIM**-0.5 / soft_cap))))
        else:
            s = s * (LOG2E * HEAD_DIM**-0.5)
        if ALIBI:
            s += slope * LOG2E * (j[None, :] - row[:, None]).to(tl.float32)
        if MASKED:
            s = tl.where((j[None, :] >= low[:, None]) & (j[None, :] <= high[:, None]), s, -float("inf"))
        highest = tl.maximum(peak, tl.max(s, 1))
        # A row that has seen no key yet: minus infinity less minus infinity is no number.
        base = tl.where(highest == -float("inf"), 0.0, highest) if MASKED else highest
        weight = tl.exp2(s - base[:, None])
        rescale = tl.exp2(peak - base)
        total = total * rescale + tl.sum(weight, 1)
        v_tile = tl.load(v + at, mask=exists, other=0.0) if MASKED else tl.load(v + at)
        acc = tl.dot(weight.to(v.dtype.element_ty), v_tile, acc * rescale[:, None])
        peak = highest
    return acc, peak, total


@triton.jit
def flash(q, k, v, slope, sink, out, lse, q_len, kv_len, heads, kv_heads, pairs, together, causal, window_left,
          soft_cap, sinks, with_lse, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
          SOFT_CAP: tl.constexpr, ALIBI: tl.constexpr):
    # Of the heads walked together all tiles of the last queries come first: with a causal mask these take longest.
    tiles = tl.cdiv(q_len, BLOCK_M)
    section = tl.program_id(0) // (tiles * together)
    within = tl.program_id(0) % (tiles * together)
    width = min(together, pairs - section * together)
    tile = tiles - 1 - within // width
    pair = section * together + within % width
    b = (pair // heads).to(tl.int64)
    h = pair % heads
    stride = kv_heads * HEAD_DIM
    begin_of_head = b * kv_len * stride + h // (heads // kv_heads) * HEAD_DIM
    k += begin_of_head
    v += begin_of_head

    row = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    exists = row < q_len
    q_at = ((b * q_len + row) * heads + h)[:, None] * HEAD_DIM + tl.arange(0, HEAD_DIM)[None, :]
    q_tile = tl.load(q + q_at, mask=exists[:, None], other=0.0)

    # Row i sees the keys from low[i] to high[i]. Every row of the tile sees the keys [inner, outer), none others than
    # [begin, end).
    shift = kv_len - q_len
    left = tl.where(window_left < 0, kv_len, window_left)
    right = tl.where(causal, 0, kv_len)
    low = row + shift - left
    high = tl.minimum(row + shift + right, kv_len - 1)
    first = tile * BLOCK_M + shift
    last = min(first + BLOCK_M, kv_len) - 1
    begin = max(first - left, 0) // BLOCK_N * BLOCK_N
    end = max(min(last + right + 1, kv_len), 0)
    inner = tl.cdiv(max(last - left, 0), BLOCK_N) * BLOCK_N
    outer = max(min(first + right + 1, kv_len), 0) // BLOCK_N * BLOCK_N

    slope_h = tl.load(slope + h) if ALIBI else 0.0
    # A sink is a key without a value.
    peak = tl.zeros((BLOCK_M,), tl.float32) + tl.load(sink + h, mask=sinks, other=-float("inf")) * LOG2E
    total = tl.zeros((BLOCK_M,), tl.float32) + tl.where(sinks, 1.0, 0.0)
    state = tl.zeros((BLOCK_M, HEAD_DIM), tl.float32), peak, total
    state = walk(state, q_tile, k, v, stride, begin, min(inner, end), row, low, high, kv_len, soft_cap, slope_h,
                 HEAD_DIM, BLOCK_N, SOFT_CAP, ALIBI, True)
    state = walk(state, q_tile, k, v, stride, inner, outer, row, low, high, kv_len, soft_cap, slope_h, HEAD_DIM,
                 BLOCK_N, SOFT_CAP, ALIBI, False)
    state = walk(state, q_tile, k, v, stride, max(inner, outer), end, row, low, high, kv_len, soft_cap, slope_h,
                 HEAD_DIM, BLOCK_N, SOFT_CAP, ALIBI, True)
    acc, peak, total = state
    inverse = tl.where(total > 0, 1 / total, 0.0)
    tl.store(out + q_at, (acc * inverse[:, None]).to(out.dtype.element_ty), mask=exists[:, None])
    tl.store(lse + (b * q_len + row) * heads + h, peak + tl.log2(total), mask=exists & with_lse)
