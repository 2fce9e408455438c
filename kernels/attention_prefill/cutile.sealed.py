# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: cuTile, flash attention
#   author: Podium
#   needs: [cutile]
#   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#   values: { block: 64, tiles: "ceil_div(q_len, block)" }
#   launches:
#     - kernel: flash
#       grid: [heads, tiles, batch]
#       arguments: [q, k, v, out, lse, i32(q_len), i32(kv_len), i32(heads / kv_heads)]
#       constants: { HEAD_DIM: head_dim, BLOCK_M: block, BLOCK_N: block, CAUSAL: causal, WITH_LSE: with_lse }

# One block computes BLOCK_M queries of one head. Exponents are in units of log2. Tiles of
# keys that every query sees have a loop without a mask. Loads ask for no tensor maps: see vector_add.
import cuda.tile as ct

LOG2E = 1.4426950408889634


@ct.function
def walk(acc, peak, total, q_tile, k, v, b, g, begin, end, limit, HEAD_DIM: ct.Constant[int], BLOCK_M: ct.Constant[int],
         BLOCK_N: ct.Constant[int], MASKED: ct.Constant[bool]):
    """Adds tiles [begin, end) of keys to the weighted values, the largest score and the sum of weights of every row."""
    scale = LOG2E * HEAD_DIM**-0.5
    for n in range(begin, end):
        k_tile = ct.load(k, index=(b, 0, g, n), shape=(1, HEAD_DIM, 1, BLOCK_N), order=(0, 3, 2, 1),
                         padding_mode=ct.PaddingMode.ZERO, allow_tma=False).reshape((HEAD_DIM, BLOCK_N))
        s = ct.mma(q_tile, k_tile, ct.zeros((BLOCK_M, BLOCK_N), dtype=ct.float32))
        if MASKED:
            column = n * BLOCK_N + ct.arange(BLOCK_N, dtype=ct.int32)[None, :]
            s = ct.where(column <= limit, s, float("-inf"))
        highest = ct.maximum(peak, ct.max(s, axis=1, keepdims=True) * scale)
        base = highest
        if MASKED:  # a row that has seen no key yet: minus infinity less minus infinity is no number
            base = ct.where(highest == float("-inf"), 0.0, highest)
        weight = ct.exp2(s * scale - base)
        rescale = ct.exp2(peak - base)
        total = total * rescale + ct.sum(weight, axis=1, keepdims=True)
        v_tile = ct.load(v, index=(b, n, g, 0), shape=(1, BLOCK_N, 1, HEAD_DIM), padding_mode=ct.PaddingMode.ZERO,
                         allow_tma=False).reshape((BLOCK_N, HEAD_DIM))
        acc = ct.mma(weight.astype(v.dtype), v_tile, acc * rescale)
        peak = highest
    return acc, peak, total


@ct.kernel
def flash(q, k, v, out, lse, q_len, kv_len, group, HEAD_DIM: ct.Constant[int], BLOCK_M: ct.Constant[int],
          BLOCK_N: ct.Constant[int], CAUSAL: ct.Constant[int], WITH_LSE: ct.Constant[int]):
    h = ct.bid(0)
    tile = ct.num_blocks(1) - 1 - ct.bid(1)  # the last queries first: with a causal mask these take longest
    b = ct.bid(2)
    g = h // group
    q_tile = ct.load(q, index=(b, tile, h, 0), shape=(1, BLOCK_M, 1, HEAD_DIM), padding_mode=ct.PaddingMode.ZERO,
                     allow_tma=False).reshape((BLOCK_M, HEAD_DIM))

    # Query i sees the keys up to limit[i]: all queries of the tile see the first `clear` tiles of keys, some see `end`.
    first = tile * BLOCK_M + kv_len - q_len
    limit = ct.full((BLOCK_M, 1), kv_len - 1, dtype=ct.int32)
    clear = kv_len // BLOCK_N
    end = ct.cdiv(kv_len, BLOCK_N)
    if CAUSAL:
        limit = ct.minimum(limit, first + ct.arange(BLOCK_M, dtype=ct.int32)[:, None])
        clear = min(max(first + 1, 0), kv_len) // BLOCK_N
        end = ct.cdiv(min(max(first + BLOCK_M, 0), kv_len), BLOCK_N)

    peak = ct.full((BLOCK_M, 1), float("-inf"), dtype=ct.float32)
    total = ct.zeros((BLOCK_M, 1), dtype=ct.float32)
    acc = ct.zeros((BLOCK_M, HEAD_DIM), dtype=ct.float32)
    acc, peak, total = walk(acc, peak, total, q_tile, k, v, b, g, 0, clear, limit, HEAD_DIM, BLOCK_M, BLOCK_N, False)
    acc, peak, total = walk(acc, peak, total, q_tile, k, v, b, g, clear, end, limit, HEAD_DIM, BLOCK_M, BLOCK_N, True)
    result = acc * ct.where(total > 0, 1 / total, 0.0)
    ct.store(out, index=(b, tile, h, 0), tile=result.astype(out.dtype).reshape((1, BLOCK_M, 1, HEAD_DIM)),
             allow_tma=False)
    if WITH_LSE:
        ct.store(lse, index=(b, tile, h), tile=(peak + ct.log2(total)).reshape((1, BLOCK_M, 1)), allow_tma=False)
