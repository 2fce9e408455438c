# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "cuTile, one block a row", framework: torch, backends: [cuda] }

# A row of up to 8192 elements is one tile. Longer ones are read twice: first for the largest element and the sum of
# exponentials in each column of tiles, then for the quotients.
import cuda.tile as ct
import torch

infinity = float("inf")


@ct.kernel
def whole_row(x, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    row = ct.load(x, index=(i, 0), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    exponentials = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    ct.store(y, index=(i, 0), tile=(exponentials / ct.sum(exponentials, axis=1, keepdims=True)).astype(y.dtype))


@ct.kernel
def tiles_of_row(x, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    tiles = ct.num_tiles(x, axis=1, shape=(1, TILE))
    peaks = ct.full((1, TILE), -3e38, ct.float32)
    totals = ct.full((1, TILE), 0, ct.float32)
    for k in range(tiles):
        row = ct.load(x, index=(i, k), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        higher = ct.maximum(peaks, row)
        totals = totals * ct.exp(peaks - higher) + ct.exp(row - higher)
        peaks = higher
    peak = ct.max(peaks, axis=1, keepdims=True)
    total = ct.sum(totals * ct.exp(peaks - peak), axis=1, keepdims=True)
    for k in range(tiles):
        row = ct.load(x, index=(i, k), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        ct.store(y, index=(i, k), tile=(ct.exp(row - peak) / total).astype(y.dtype))


def run(x, y, rows, cols):
    tile = 1 << (cols - 1).bit_length()
    kernel, tile = (whole_row, tile) if tile <= 8192 else (tiles_of_row, 4096)
    ct.launch(torch.cuda.current_stream(), (rows,), kernel, (x, y, tile))
