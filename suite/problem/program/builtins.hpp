// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// More checks that need no reference, over every element: stable, triangular, distinct, multisets of tuples.
#pragma once
#include "atomic.hpp"
#include "check.hpp"

namespace podium::program {

// The multiset of tuples (data[0][k], data[1][k], …): as multiset(), each place keyed by those before it.
template <class... Data>
PODIUM_SHARED void tuples(Words words, Group group, i64 count, const Data... data) {
  Multiset mine = Multiset::identity();
  for_each(count, group, [&](const i64 k) {
    u64 key = words.word[hash_key];
    u32 place = 0;
    Block4 b = {};
    ((b = philox(key, raw(data[k]), stream_of(Stream::hash, ++place)), key = u64(b.word[0]) | u64(b.word[1])
                                                                                                  << 32),
     ...);
    mine.sum[0] += u64(b.word[0]) | u64(b.word[1]) << 32;
    mine.sum[1] += u64(b.word[2]) | u64(b.word[3]) << 32;
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Multiset>(launch_results)[group.index] = mine;
}

// Among equal neighbours of keys along the last axis, whose extent is `row`, order ascends strictly.
template <class Keys, class Order>
PODIUM_DEVICE void stable(Words words, Group group, const Keys keys, const Order order, i64 count, i64 row) {
  Count mine = Count::identity();
  for_each(count, group, [&](const i64 k) {
    if ((k + 1) % row == 0 || !(widen(keys[k]) == widen(keys[k + 1]))) return;
    if (!(widen(order[k]) < widen(order[k + 1]))) mine.merge({1, k});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Count>(launch_results)[group.index] = mine;
}

// Zero below the diagonal of the last two axes (upper) or above it (lower), and one on it (unit).
template <bool upper, bool unit, class Data>
PODIUM_DEVICE void triangular(Words words, Group group, const Data data, i64 count, i64 rows, i64 columns) {
  Count mine = Count::identity();
  for_each(count, group, [&](const i64 k) {
    const i64 row = k / columns % rows, column = k % columns;
    const auto value = widen(data[k]);
    const bool zero = upper ? column < row : column > row;
    const bool wrong = (zero && !(value == 0)) || (unit && row == column && !(value == 1));
    if (wrong) mine.merge({1, k});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Count>(launch_results)[group.index] = mine;
}

// The bits by which equal numbers are found: 0 and -0 are equal.
PODIUM_DEVICE u64 bits_of_equals(double x) { return x == 0 ? 0 : bits_of(x); }
PODIUM_DEVICE u64 bits_of_equals(i64 x) { return u64(x); }
PODIUM_DEVICE u64 bits_of_equals(u64 x) { return x; }

// No number twice in a row of the last axis, whose extent is `row`; NaN is never right. Each row has a table
// of `distinct_slots` words, zeroed before, that hold one plus the place of the first of equal elements;
// hashing only says where to look. Of equal elements all but the first are counted, in whatever order they
// come.
template <class Data>
PODIUM_SHARED void distinct(Words words, Group group, const Data data, i64 count, i64 row) {
  const u64 key = words.word[hash_key], slots = words.word[distinct_slots];
  u32* const tables = words.address<u32>(distinct_table);
  Count mine = Count::identity();
  for_each(count, group, [&](const i64 k) {
    const i64 first = k / row * row;
    u32* const table = tables + u64(k / row) * slots;
    const auto value = widen(data[k]);
    if (value != value) return mine.merge({1, k});
    const Block4 hash = philox(key, bits_of_equals(value), stream_of(Stream::hash, ~u32(0)));
    const u32 own = u32(k - first) + 1;
    u64 slot = multiply_high(u64(hash.word[0]) | u64(hash.word[1]) << 32, slots);
    for (;; slot = slot + 1 == slots ? 0 : slot + 1) {
      const u32 there = compare_and_swap(table + slot, 0, own);
      if (there == 0) return;
      if (!(widen(data[first + there - 1]) == value)) continue;
      const u32 before = store_smaller(table + slot, own);
      return mine.merge({1, first + (before > own ? before : own) - 1});
    }
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Count>(launch_results)[group.index] = mine;
}

}  // namespace podium::program
