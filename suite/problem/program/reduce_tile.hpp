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

// R: place, Sum, Tiles, accumulate_tile(words, tile, part, totals). Teams of at most few * few lanes.
template <class R>
PODIUM_DEVICE void reduce_tiled(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 tiles = R::Tiles::count(words), outers = words.integer(reduce_outer),
            inners = words.integer(reduce_inner), splits = outers * inners;
  const int lanes = int(words.integer(reduce_lanes)), teams = block_threads / lanes;
  const int team = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const i64 all = tiles * splits, items = (all + teams - 1) / teams;
  for (i64 item = group.index; item < items; item += group.count) {
    // Teams beside each other have neighbouring tiles of the same split, and so read the same.
    const i64 unit = item * teams + team, split = quotient(unit, tiles), tile = unit - split * tiles;
    Tile<Sum> totals;
#pragma unroll
    for (int k = 0; k < few * few; ++k) totals.at[k / few][k % few] = Sum::identity();
    if (unit < all) {
      const Part part = part_of(split, outers, inners, lane, lanes);
      bool fault = false;
      R::accumulate_tile(Words{words.word, &fault}, tile, part, totals);
#pragma unroll 1
      for (int k = 0; fault && k < few * few; ++k)
        if (const i64 element = R::Tiles::element(words, tile, k / few, k % few); element >= 0)
          find_fault<R>(words, element, part);
    }
    // Each step halves how many elements a lane answers for: it keeps its own half, and hands on the other
    // one.
    int first = 0;
#pragma unroll
    for (int kept = few * few / 2; kept > 0; kept /= 2)
      if (const int half = lanes * kept / (few * few); half > 0) {
        const bool upper = (lane & half) != 0;
        first += upper ? kept : 0;
#pragma unroll
        for (int k = 0; k < kept; ++k) {
          const Sum low = totals.at[k / few][k % few], high = totals.at[(k + kept) / few][(k + kept) % few];
          Sum& total = totals.at[k / few][k % few];
          total = upper ? high : low;
          total.merge(from_partner(upper ? low : high, half, lanes));
        }
      }
    // Registers cannot be counted through: hence the copy.
    Sum finished[few * few];
#pragma unroll
    for (int k = 0; k < few * few; ++k) finished[k] = totals.at[k / few][k % few];
#pragma unroll 1
    for (int k = 0; k < few * few / lanes && unit < all; ++k) {
      const int at = first + k;
      const i64 element = R::Tiles::element(words, tile, at / few, at % few);
      if (element < 0) continue;
      if (splits == 1)
        store<R::place>(words, element, typename R::Value(finished[k].value()));
      else
        words.address<Sum>(reduce_parts)[element * splits + split] = finished[k];
    }
  }
}

}  // namespace podium::program
#endif
