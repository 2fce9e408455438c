// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks of outputs that need no reference, over every element: sorted, and permutation by multiset hashes.
#pragma once
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

}  // namespace podium::program
