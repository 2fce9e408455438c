# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: "cuTile, a tile of the result for each block"
#   framework: torch
#   backends: [cuda]
#   when: n % 8 == 0 && k % 8 == 0 # cuTile 1.7 stores beyond rows that are no multiple of 16 bytes
import cuda.tile as ct
import torch


@ct.kernel
def product(a, b, c, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int]):
    # Eight rows of tiles at a time, column by column: blocks that run together share tiles in the L2 cache.
    rows, columns = ct.num_tiles(c, axis=0, shape=(M, N)), ct.num_tiles(c, axis=1, shape=(M, N))
    first_row = ct.bid(0) // (8 * columns) * 8
    height = min(rows - first_row, 8)
    place = ct.bid(0) % (8 * columns)
    i, j = first_row + place % height, place // height
    total = ct.full((M, N), 0, ct.float32)
    for l in range(ct.num_tiles(a, axis=1, shape=(M, K))):
        left = ct.load(a, index=(i, l), shape=(M, K), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, index=(l, j), shape=(K, N), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, index=(i, j), tile=total.astype(c.dtype))


def run(a, b, c, m, n):
    side = 128 if m * n >= 1 << 20 else 64
    blocks = ct.cdiv(m, side) * ct.cdiv(n, side)
    ct.launch(torch.cuda.current_stream(), (blocks,), product, (a, b, c, side, side, 64))
