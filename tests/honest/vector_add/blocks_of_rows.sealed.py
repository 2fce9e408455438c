# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Sealed, cuTile, four rows at a time
#   needs: [cutile]
#   values: { tile: "min(next_power_of_2(n), 512)" }
#   launches:
#     - { kernel: add, grid: ["ceil_div(n, 4)", "ceil_div(n, tile)"], arguments: [a, b, c], constants: { TILE: tile } }

# expect: right
# needs: cutile
# Its compiler hands arrays to kernels with their shapes and strides, and cuts tiles at their edges.
import cuda.tile as ct


@ct.kernel
def add(a, b, c, TILE: ct.Constant[int]):
    at = (ct.bid(0), ct.bid(1))
    x = ct.load(a, index=at, shape=(4, TILE), allow_tma=False)
    y = ct.load(b, index=at, shape=(4, TILE), allow_tma=False)
    ct.store(c, index=at, tile=x + y, allow_tma=False)
