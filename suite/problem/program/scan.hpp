// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Looks at every element of an output for poison (never written) and for what is not finite.
#pragma once
#include "compare.hpp"

namespace podium::program {

// The exponent's bits; an element is not finite if all are set. 0 for integers: always finite.
template <class T>
inline constexpr u64 exponent_bits = is_same<T, f64>    ? u64(0x7ff) << 52
                                     : is_same<T, f32>  ? 0x7f800000u
                                     : is_same<T, f16>  ? 0x7c00u
                                     : is_same<T, bf16> ? 0x7f80u
                                                        : 0;

template <class T>
PODIUM_DEVICE void scan_element(Scan& found, u64 bits, u64 pattern, i64 index) {
  constexpr u64 exponent = exponent_bits<T>;
  if (bits == pattern) ++found.poisoned, found.first_poisoned = smaller_index(found.first_poisoned, index);
  if (exponent != 0 && (bits & exponent) == exponent)
    ++found.nonfinite, found.first_nonfinite = smaller_index(found.first_nonfinite, index);
}

template <class T>
PODIUM_SHARED void scan(Words words, Group group, const T* data, i64 count) {
  const u64 pattern = poison_pattern<T>(words.word[scan_poison]);
  Scan mine = Scan::identity();
#if PODIUM_GPU
  constexpr int width = 16 / sizeof(T);
  for_each((count + width - 1) / width, group, [&](const i64 at) {
    const i64 first = at * width;
    if (first + width <= count) {
      const ulonglong2 pack = *reinterpret_cast<const ulonglong2*>(data + first);
      const u64 half[2] = {pack.x, pack.y};
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const u64 shifted = half[k * sizeof(T) / 8] >> (k * sizeof(T) % 8 * 8);
        scan_element<T>(mine, shifted & (~u64(0) >> (64 - 8 * sizeof(T))), pattern, first + k);
      }
    } else {
      for (i64 k = first; k < count; ++k) scan_element<T>(mine, raw(data[k]), pattern, k);
    }
  });
#else
  constexpr int block = 512;  // elements looked at together before looking closer
  const Chunk part = chunk(count, group.index, group.count, block);
  for (i64 first = part.begin; first < part.end; first += block) {
    const int n = int(part.end - first < block ? part.end - first : block);
    constexpr u64 exponent = exponent_bits<T>;
    u32 suspects = 0;
    for (int k = 0; k < n; ++k) {
      const u64 bits = raw(data[first + k]);
      suspects += u32(bits == pattern) | u32(exponent != 0 && (bits & exponent) == exponent);
    }
    if (suspects == 0) continue;
    for (int k = 0; k < n; ++k) scan_element<T>(mine, raw(data[first + k]), pattern, first + k);
  }
#endif
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Scan>(launch_results)[group.index] = mine;
}

}  // namespace podium::program
