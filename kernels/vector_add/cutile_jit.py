# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "cuTile, a piece of a row for each block, compiled when it is called", framework: torch, backends: [cuda] }
import cuda.tile as ct
import torch


@ct.kernel
def add(a, b, c, TILE: ct.Constant[int]):
    at = (ct.bid(0), ct.bid(1))
    x = ct.load(a, index=at, shape=(1, TILE))
    y = ct.load(b, index=at, shape=(1, TILE))
    ct.store(c, index=at, tile=x + y)


def run(a, b, c, n):
    if n:
        tile = min(1 << (n - 1).bit_length(), 2048)
        ct.launch(torch.cuda.current_stream(), (n, ct.cdiv(n, tile)), add, (a, b, c, tile))
