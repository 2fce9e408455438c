// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Looks at every element of an output for poison (never written) and for what is not finite.
#pragma once
#include "compare.hpp"

namespace podium::program {

// The bits that are all set in infinities and NaN; 0: no such bits.
template <class T>
inline constexpr u64 exponent_bits = is_same<T, f64>    ? u64(0x7ff) << 52
                                     : is_same<T, f32>  ? 0x7f800000u
                                     : is_same<T, f16>  ? 0x7c00u
                                     : is_same<T, bf16> ? 0x7f80u
                                     : is_same<T, e4m3> ? 0x7fu  // the exponent's and all others
                                     : is_same<T, e5m2> ? 0x7cu
                                     : is_same<T, e8m0> ? 0xffu
                                                        : 0;
// Whether an element's bits are those of an infinity or NaN.
template <class T>
PODIUM_DEVICE bool not_finite(u64 bits) {
  if constexpr (is_fnuz<T>)
    return bits == Limits<T>::nan;
  else
    return exponent_bits<T> != 0 && (bits & exponent_bits<T>) == exponent_bits<T>;
}

// The elements of a word, side by side: `lane` in each of them; and, for each that is zero, its highest bit.
template <class T>
PODIUM_DEVICE constexpr u64 in_every_lane(u64 lane) {
  return lane * (~u64(0) / (~u64(0) >> (64 - 8 * sizeof(T))));
}
template <class T>
PODIUM_DEVICE u64 zero_lanes(u64 word) {
  constexpr u64 all = ~u64(0), below_top = in_every_lane<T>(all >> (65 - 8 * sizeof(T)));
  return ~(((word & below_top) + below_top) | word | below_top);
}
// The same for elements that are not finite.
template <class T>
PODIUM_DEVICE u64 not_finite_lanes(u64 word) {
  if constexpr (is_fnuz<T>)
    return zero_lanes<T>(word ^ in_every_lane<T>(Limits<T>::nan));
  else if constexpr (exponent_bits<T> != 0)
    return zero_lanes<T>(~word & in_every_lane<T>(exponent_bits<T>));
  else
    return 0;
}

// All elements of a word; the lowest is number `index`.
template <class T>
PODIUM_DEVICE void scan_word(Scan& found, u64 word, u64 poison, i64 index) {
  constexpr int bits = 8 * sizeof(T);
  if (const u64 lanes = zero_lanes<T>(word ^ poison); lanes != 0)
    found.poisoned += bits_set(lanes),
        found.first_poisoned = smaller_index(found.first_poisoned, index + lowest_bit(lanes) / bits);
  if (const u64 lanes = not_finite_lanes<T>(word); lanes != 0)
    found.nonfinite += bits_set(lanes),
        found.first_nonfinite = smaller_index(found.first_nonfinite, index + lowest_bit(lanes) / bits);
}

template <class T>
PODIUM_DEVICE void scan_element(Scan& found, u64 bits, u64 pattern, i64 index) {
  if (bits == pattern) ++found.poisoned, found.first_poisoned = smaller_index(found.first_poisoned, index);
  if (not_finite<T>(bits))
    ++found.nonfinite, found.first_nonfinite = smaller_index(found.first_nonfinite, index);
}

// Pairs of e2m1 are looked at as bytes; what is found counts for both.
template <class T>
PODIUM_DEVICE void hand_back(Words words, Group group, Scan mine) {
  if constexpr (is_same<T, e2m1x2>) {
    mine.poisoned *= 2;
    if (mine.first_poisoned > 0) mine.first_poisoned *= 2;
  }
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Scan>(launch_results)[group.index] = mine;
}

template <class T>
PODIUM_SHARED void scan(Words words, Group group, const T* data, i64 count) {
  const u64 pattern = poison_pattern<T>(words.word[scan_poison]);
  Scan mine = Scan::identity();
#if PODIUM_GPU
  constexpr int width = 16 / sizeof(T), together = 4;  // packs on their way at once
  const u64 poison = poison_pattern<u64>(words.word[scan_poison]);
  const auto* const packs = reinterpret_cast<const ulonglong2*>(data);
  const i64 full = count / width, step = i64(group.count) * block_threads;
  const auto look_closer = [&](const i64 at) {
    const ulonglong2 pack = packs[at];
    scan_word<T>(mine, pack.x, poison, at * width);
    scan_word<T>(mine, pack.y, poison, at * width + width / 2);
  };
  i64 at = i64(group.index) * block_threads + threadIdx.x;
#pragma unroll 1
  for (; at + (together - 1) * step < full; at += together * step) {
    ulonglong2 pack[together];
#pragma unroll
    for (int k = 0; k < together; ++k) pack[k] = packs[at + k * step];
    u64 suspects = 0;
#pragma unroll
    for (int k = 0; k < together; ++k)
      suspects |= zero_lanes<T>(pack[k].x ^ poison) | zero_lanes<T>(pack[k].y ^ poison) |
                  not_finite_lanes<T>(pack[k].x) | not_finite_lanes<T>(pack[k].y);
#pragma unroll 1
    for (int k = 0; suspects != 0 && k < together; ++k) look_closer(at + k * step);
  }
#pragma unroll 1
  for (; at < full; at += step) look_closer(at);
  if (group.index == 0 && i64(threadIdx.x) < count - full * width)
    scan_element<T>(mine, raw(data[full * width + threadIdx.x]), pattern, full * width + threadIdx.x);
#else
  constexpr int block = 512;  // elements looked at together before looking closer
  const Chunk part = chunk(count, group.index, group.count, block);
  for (i64 first = part.begin; first < part.end; first += block) {
    const int n = int(part.end - first < block ? part.end - first : block);
    u32 suspects = 0;
    for (int k = 0; k < n; ++k) {
      const u64 bits = raw(data[first + k]);
      suspects += u32(bits == pattern) | u32(not_finite<T>(bits));
    }
    if (suspects == 0) continue;
    for (int k = 0; k < n; ++k) scan_element<T>(mine, raw(data[first + k]), pattern, first + k);
  }
#endif
  hand_back<T>(words, group, mine);
}

// Of an output without elements that may hold anything.
struct NoneOf {
  PODIUM_DEVICE static bool any(Words, i64) { return false; }
};

// Elements one by one, wherever they lie: padding is passed over, and what may hold anything. Of: the
// output's, with any(words, element).
template <class Of = NoneOf, class T, class Layout>
PODIUM_SHARED void scan(Words words, Group group, const LaidOut<T, Layout> data, i64 count) {
  const u64 pattern = poison_pattern<T>(words.word[scan_poison]);
  Scan mine = Scan::identity();
  for_each(count, group, [&](const i64 k) {
    if (Of::any(words, k)) {
      ++mine.any;
      return;
    }
    const u64 bits = raw(data[k]);
    if (holds(data, k, pattern)) ++mine.poisoned, mine.first_poisoned = smaller_index(mine.first_poisoned, k);
    if (not_finite<T>(bits)) ++mine.nonfinite, mine.first_nonfinite = smaller_index(mine.first_nonfinite, k);
  });
  hand_back<T>(words, group, mine);
}

}  // namespace podium::program
