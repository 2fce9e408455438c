// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What ready-made fills write: a struct each, of the name that its row in suite/problem/fills/table.cpp has.
#pragma once
#include "fill_permutation.hpp"
#include "numbers.hpp"

namespace podium::program {

// The launch words of a fill: as doubles, and the first two as integers.
struct FillNumbers {
  double first, second, third;
  i64 low;
  u64 range;
};

// A normal number is the sum of four uniform integers, of 16 bits or of 8, and of a uniform fraction hashed
// from all of them, so that numbers differ in all their bits (those of the sum alone would make keys repeat);
// centred and scaled to variance 1. It lies within +-3.4642, or +-3.4540 from bytes.
//
// Integers of b bits: mean 4 * (2^b - 1) / 2 + 1 / 2, variance 4 * (2^2b - 1) / 12 + 1 / 12. The sum is taken
// in units of the fraction's last bit: an integer below 2^50, which becomes a double by being put among the
// digits of 2^51; conversions are slow on GPUs.
PODIUM_DEVICE double scaled_sum(u32 sum, u32 fraction, double middle, double scale) {
  const double centre = 0x1p51 + middle * 0x1p32 - 0.5;
  return (double_of(bits_of(0x1p51) | u64(sum) << 33 | u64(fraction) << 1) - centre) * scale;
}
inline constexpr double normal_scale = 0x1.bb67ae862b119p-48;       // sqrt(12 / (2^34 - 3)) / 2^32
inline constexpr double byte_normal_scale = 0x1.bb6854ccc3c4dp-40;  // sqrt(12 / (2^18 - 3)) / 2^32
PODIUM_DEVICE double normal_number(u32 first, u32 second) {
  const u32 sum = (first & 0xffffu) + (first >> 16) + (second & 0xffffu) + (second >> 16);
  const u32 hash = (first ^ second >> 15) * 0x9e3779b1u ^ (second ^ first >> 13) * 0x85ebca6bu;
  return scaled_sum(sum, hash, 131070.5, normal_scale);
}
PODIUM_DEVICE double normal_number(u32 word) {
  const u32 sum = sum_of_bytes(word);
  const u32 mixed = (word ^ word >> 15) * 0x9e3779b1u;
  return scaled_sum(sum, mixed ^ mixed >> 13, 510.5, byte_normal_scale);
}

namespace FillKind {

// The base of a fill whose elements are made one by one. Its element() is given words of the stream that
// belong to this element if it is `drawn`, none otherwise; what its arguments may be is bounded
// (fault_of_fill).
struct Drawn {
  static constexpr bool by_element = true, drawn = true;
};
struct Computed {
  static constexpr bool by_element = true, drawn = false;
};

struct normal : Drawn {  // first mean, second standard deviation
  static constexpr u64 id = fill_id("normal");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers& n, const u32* word, i64) {
    if constexpr (sizeof(T) == 8)
      return narrow<T, true>(n.first + n.second * normal_number(word[0], word[1]));
    else
      return narrow<T, true>(n.first + n.second * normal_number(word[0]));
  }
};

struct uniform
    : Drawn {  // first low, second high minus low, third the largest number of the dtype below high
  static constexpr u64 id = fill_id("uniform");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers& n, const u32* word, i64) {
    double u;  // in [0, 1): every multiple of 2^-32, or of 2^-53 for 8-byte elements
    if constexpr (sizeof(T) == 8)
      u = double((u64(word[0]) | u64(word[1]) << 32) >> 11) * 0x1p-53;
    else
      u = double(word[0]) * 0x1p-32;
    const double x = n.first + n.second * u;
    return narrow<T, true>(x < n.third ? x : n.third);
  }
};

struct integers : Drawn {  // low, range: how many different numbers
  static constexpr u64 id = fill_id("integers");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers& n, const u32* word, i64) {
    u64 draw;
    if constexpr (sizeof(T) == 8)
      draw = multiply_high(u64(word[0]) | u64(word[1]) << 32, n.range);
    else
      draw = multiply_high(u64(word[0]) << 32, n.range);
    return narrow_integer<T>(n.low + i64(draw));
  }
};

struct zeros : Computed {
  static constexpr u64 id = fill_id("zeros");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers&, const u32*, i64) {
    return narrow_integer<T>(0);
  }
};

struct ones : Computed {
  static constexpr u64 id = fill_id("ones");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers&, const u32*, i64) {
    return narrow_integer<T>(1);
  }
};

struct sequence : Computed {  // first the first, second the step
  static constexpr u64 id = fill_id("sequence");
  template <class T>
  PODIUM_DEVICE static T element(const FillNumbers& n, const u32*, i64 index) {
    return narrow<T, true>(n.first + n.second * double(index));
  }
};

struct permutation {  // low the length of a row
  static constexpr u64 id = fill_id("permutation");
  static constexpr bool by_element = false;
  template <class Data>
  PODIUM_DEVICE static void fill(Words words, Group group, Data data, i64 count, u32 tensor) {
    permute(words, group, data, count, tensor);
  }
};

}  // namespace FillKind
}  // namespace podium::program
