// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of built-in checks, over every element; their rows stand in suite/problem/checks/table.cpp.
#pragma once
#include "atomic.hpp"
#include "kernel.hpp"
#include "numbers.hpp"
#include "philox.hpp"

namespace podium::program {

// Ascending (or descending) along the last axis, whose extent is `row`; equal neighbours are in order, NaN
// never is.
template <class T, bool descending, class Data>
PODIUM_DEVICE void sorted(Words words, Group group, const Data data, i64 count, i64 row) {
  Count mine = Count::identity();
  for_each(count, group, [&](const i64 k) {
    const auto here = widen(data[k]);
    const bool last = row == count ? k + 1 == count : (k + 1) % row == 0;
    const auto next = last ? here : widen(data[k + 1]);
    const bool ordered = descending ? here >= next : here <= next;  // false for NaN, also beside itself
    if (!ordered) mine.merge({1, k});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Count>(launch_results)[group.index] = mine;
}

// Sums over the elements' bits of a pseudo-random function whose key the contestant cannot know: 2 x 64 bits.
template <class Data>
PODIUM_SHARED void multiset(Words words, Group group, const Data data, i64 count) {
  const u64 key = words.word[hash_key], stream = stream_of(Stream::hash, 0);
  Multiset mine = Multiset::identity();
#if PODIUM_GPU
  for_each(count, group, [&](const i64 k) {
    const Block4 b = philox(key, raw(data[k]), stream);
    mine.sum[0] += u64(b.word[0]) | u64(b.word[1]) << 32;
    mine.sum[1] += u64(b.word[2]) | u64(b.word[3]) << 32;
  });
#else
  const Chunk part = chunk(count, group.index, group.count, philox_width);
  i64 first = part.begin;
  for (; first + philox_width <= part.end; first += philox_width) {
    Lanes c;
    for (int lane = 0; lane < philox_width; ++lane) {
      const u64 bits = raw(data[first + lane]);
      c.c0[lane] = u32(bits), c.c1[lane] = u32(bits >> 32), c.c2[lane] = u32(stream),
      c.c3[lane] = u32(stream >> 32);
    }
    philox(key, c);
    for (int lane = 0; lane < philox_width; ++lane) {
      mine.sum[0] += u64(c.c0[lane]) | u64(c.c1[lane]) << 32;
      mine.sum[1] += u64(c.c2[lane]) | u64(c.c3[lane]) << 32;
    }
  }
  for (; first < part.end; ++first) {
    const Block4 b = philox(key, raw(data[first]), stream);
    mine.sum[0] += u64(b.word[0]) | u64(b.word[1]) << 32;
    mine.sum[1] += u64(b.word[2]) | u64(b.word[3]) << 32;
  }
#endif
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Multiset>(launch_results)[group.index] = mine;
}

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
