# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: cuTile, a piece of a row for each block
#   author: Podium
#   needs: [cutile]
#   values: { tile: "min(next_power_of_2(n), 2048)" }
#   launches:
#     - { kernel: add, grid: [n, "ceil_div(n, tile)"], arguments: [a, b, c], constants: { TILE: tile } }

# Tiles that reach beyond a row are cut by the compiler. Loads and stores ask for no tensor maps: those would be made by
# a launcher of cuTile's own, and have to be made anew whenever a tensor lies elsewhere.
import cuda.tile as ct


@ct.kernel
def add(a, b, c, TILE: ct.Constant[int]):
    at = (ct.bid(0), ct.bid(1))
    x = ct.load(a, index=at, shape=(1, TILE), allow_tma=False)
    y = ct.load(b, index=at, shape=(1, TILE), allow_tma=False)
    ct.store(c, index=at, tile=x + y, allow_tma=False)
