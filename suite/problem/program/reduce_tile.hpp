// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reductions whose neighbouring elements share what they read, as those of a product do: a thread sums a tile
// of `few` x `few` elements, and what belongs to a row or a column of the tile is read once for all of it.
// GPUs only: there reading is what such a reduction waits for.
#pragma once
#include "reduce.hpp"

#if PODIUM_GPU
namespace podium::program {

template <class Sum>
struct Tile {
  Sum at[few][few];
  template <class F>
  PODIUM_DEVICE void add(F term) {
#pragma unroll
    for (int row = 0; row < few; ++row)
#pragma unroll
      for (int column = 0; column < few; ++column) at[row][column].add(term(row, column));
  }
};

// The tiles of a reference: Row is its last index but one, Column its last. Neighbouring tiles differ in
// their rows.
template <class Row, class Column, class... Outer>
struct Tiles {
  PODIUM_DEVICE static i64 count(Words w) {
    return ((fews_of<Row>(w) * fews_of<Column>(w)) * ... * Outer::count(w));
  }
  // The element at a place of a tile; -1: there is none.
  PODIUM_DEVICE static i64 element(Words w, i64 tile, int row, int column) {
    Unravel rest{tile};
    const i64 i = few * rest.remainder(fews_of<Row>(w)) + row;
    const i64 j = few * rest.remainder(fews_of<Column>(w)) + column;
    const i64 rows = Row::count(w), columns = Column::count(w);
    return i < rows && j < columns ? (rest.rest * rows + i) * columns + j : -1;
  }
};

// R: place, Sum, Tiles, accumulate_tile(words, tile, part, totals).
template <class R>
PODIUM_DEVICE void reduce_tiled(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 tiles = R::Tiles::count(words), outers = words.integer(reduce_outer),
            inners = words.integer(reduce_inner), splits = outers * inners;
  const int lanes = int(words.integer(reduce_lanes)), teams = block_threads / lanes;
  const int team = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const i64 items = (tiles + teams - 1) / teams * splits;
  for (i64 item = group.index; item < items; item += group.count) {
    const i64 block = quotient(item, splits), tile = block * teams + team, split = item - block * splits;
    Tile<Sum> totals;
#pragma unroll
    for (int k = 0; k < few * few; ++k) totals.at[k / few][k % few] = Sum::identity();
    if (tile < tiles) {
      const Part part = part_of(split, outers, inners, lane, lanes);
      bool fault = false;
      R::accumulate_tile(Words{words.word, &fault}, tile, part, totals);
#pragma unroll 1
      for (int k = 0; fault && k < few * few; ++k)
        if (const i64 element = R::Tiles::element(words, tile, k / few, k % few); element >= 0)
          find_fault<R>(words, element, part);
    }
    // Registers cannot be counted through: what follows is written once, not sixteen times.
    Sum finished[few * few];
#pragma unroll
    for (int k = 0; k < few * few; ++k) finished[k] = totals.at[k / few][k % few];
#pragma unroll 1
    for (int k = 0; k < few * few; ++k) {
      Sum total = finished[k];
      combine(total, lanes);
      if (lane != 0 || tile >= tiles) continue;
      const i64 element = R::Tiles::element(words, tile, k / few, k % few);
      if (element < 0) continue;
      if (splits == 1)
        store<R::place>(words, element, typename R::Value(total.value()));
      else
        words.address<Sum>(reduce_parts)[element * splits + split] = total;
    }
  }
}

}  // namespace podium::program
#endif
