// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References of form order: a stable merge sort of (key, index) pairs, bottom up. Every thread sorts a run
// of a few pairs; then each launch merges pairs of neighbouring runs, every thread a few consecutive outputs
// of one pair, which it finds by a binary search along the merge's diagonal: O. Green, R. McColl, D. A.
// Bader, "GPU merge path: a GPU merging algorithm", ICS 2012.
#pragma once
#include "access.hpp"

namespace podium::program {

inline constexpr int sort_run = 16;  // pairs that one thread sorts, and merges at a time

// Keys as unsigned integers of the same order; -0 equals 0, NaN is beyond everything in either direction.
PODIUM_DEVICE u64 sort_key(double x, bool descending) {
  if (x != x) return ~u64(0);
  const u64 bits = bits_of(x == 0 ? 0.0 : x), sign = u64(1) << 63;
  const u64 up = bits & sign ? ~bits : bits | sign;
  return descending ? ~up : up;
}
PODIUM_DEVICE u64 sort_key(i64 x, bool descending) {
  const u64 up = u64(x) ^ (u64(1) << 63);
  return descending ? ~up : up;
}
PODIUM_DEVICE u64 sort_key(u64 x, bool descending) { return descending ? ~x : x; }
PODIUM_DEVICE u64 sort_key(Number x, bool descending) { return sort_key(x.value, descending); }

// Pairs of all lines in the buffers: keys, then indices.
struct Pairs {
  u64* key;
  i64* index;
  PODIUM_DEVICE Pairs from(i64 offset) const { return {key + offset, index + offset}; }
};
PODIUM_DEVICE Pairs pairs_at(Words words, int place) {
  const i64 count = words.integer(order_lines) * words.integer(order_length);
  u64* const keys = words.address<u64>(place);
  return {keys, reinterpret_cast<i64*>(keys + count)};
}

// R: place, descending, site, low(words, line), high(words, line), key(words, line, index). Lines shorter
// than the buffers' are padded with the index -1, which comes last: it stands behind all keys equal to its
// own.
template <class R>
PODIUM_DEVICE void order_keys(Words words, Group group) {
  const i64 length = words.integer(order_length), first = words.integer(order_first);
  const Pairs pairs = pairs_at(words, order_from);
  for_each(words.integer(order_lines) * length, group, [&](const i64 item) {
    const i64 line = first + item / length, offset = item % length;
    const i64 low = R::low(words, line), count = R::high(words, line) - low;
    if (offset == 0 && count > length) {
      const i64 at[1] = {count};
      note_fault(words, fault_length, R::site, int(length < 0x7fffffff ? length : 0x7fffffff), at);
    }
    const bool there = offset < count;
    pairs.key[item] = there ? sort_key(R::key(words, line, low + offset), R::descending) : ~u64(0);
    pairs.index[item] = there ? low + offset : -1;
  });
}

// Sorts runs of sort_run by insertion, in place.
PODIUM_SHARED void sort_runs(Words words, Group group) {
  const i64 length = words.integer(order_length), runs = (length + sort_run - 1) / sort_run;
  const Pairs all = pairs_at(words, order_from);
  for_each(words.integer(order_lines) * runs, group, [&](const i64 item) {
    const i64 first = item % runs * sort_run;
    const Pairs run = all.from(item / runs * length + first);
    const int count = int(length - first < sort_run ? length - first : sort_run);
    for (int k = 1; k < count; ++k) {
      const u64 key = run.key[k];
      const i64 index = run.index[k];
      int at = k;
      for (; at > 0 && run.key[at - 1] > key; --at)
        run.key[at] = run.key[at - 1], run.index[at] = run.index[at - 1];
      run.key[at] = key, run.index[at] = index;
    }
  });
}

// Merges neighbouring runs of order_width (a multiple of sort_run); of equal keys the left ones come first.
PODIUM_SHARED void merge_runs(Words words, Group group) {
  const i64 length = words.integer(order_length), width = words.integer(order_width);
  const i64 pieces = (length + sort_run - 1) / sort_run;
  const Pairs from = pairs_at(words, order_from), to = pairs_at(words, order_to);
  for_each(words.integer(order_lines) * pieces, group, [&](const i64 item) {
    const i64 line = item / pieces * length, at = item % pieces * sort_run;
    const i64 begin = at / (2 * width) * (2 * width);
    const i64 middle = begin + width < length ? begin + width : length;
    const i64 end = begin + 2 * width < length ? begin + 2 * width : length;
    const Pairs left = from.from(line + begin), right = from.from(line + middle), out = to.from(line + at);
    const i64 lefts = middle - begin, rights = end - middle, done = at - begin;
    i64 low = done > rights ? done - rights : 0, high = done < lefts ? done : lefts;
    while (low < high) {  // how many of the outputs before `at` come from the left run
      const i64 half = (low + high) / 2;
      if (left.key[half] <= right.key[done - 1 - half])
        low = half + 1;
      else
        high = half;
    }
    i64 l = low, r = done - low;
    const int count = int(end - at < sort_run ? end - at : sort_run);
    for (int k = 0; k < count; ++k) {
      const bool take_left = r >= rights || (l < lefts && left.key[l] <= right.key[r]);
      const Pairs source = take_left ? left.from(l++) : right.from(r++);
      out.key[k] = *source.key, out.index[k] = *source.index;
    }
  });
}

// R: ranks(words): how many ranks of a line are kept; rank(words, slot): which.
template <class R>
PODIUM_DEVICE void order(Words words, Group group) {
  const i64 length = words.integer(order_length), ranks = R::ranks(words);
  const i64 first = words.integer(order_first) * ranks;
  const Pairs sorted = pairs_at(words, order_from);
  for_each(words.integer(order_lines) * ranks, group, [&](const i64 item) {
    const i64 rank = R::rank(words, item % ranks);
    const bool there = rank >= 0 && rank < length;
    store<R::place>(words, first + item, there ? sorted.index[item / ranks * length + rank] : i64(-1));
  });
}

}  // namespace podium::program
