// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Inputs from a seed: the same bits on every backend. Element e of tensor t depends on (seed, t, e) alone: it
// uses its own words of the Philox stream whose key is the seed and whose counter's high half is t. Integers,
// + - * and floor only, compiled without contraction, one rounding to the element type.
#pragma once
#include "fill_permutation.hpp"
#include "kernel.hpp"
#include "numbers.hpp"
#include "philox.hpp"

namespace podium::program {

// 32-bit words of the stream that one element uses.
template <class T, FillKind kind>
inline constexpr int words_per_element =
    kind == FillKind::normal || kind == FillKind::uniform || kind == FillKind::integers
        ? (sizeof(T) == 8 ? 2 : 1)
        : 0;
template <FillKind kind>
inline constexpr int words_per_element<e2m1x2, kind> = 2 * words_per_element<e2m1, kind>;

struct FillNumbers {
  double first, second, third;
  i64 low;
  u64 range;
};
PODIUM_DEVICE FillNumbers fill_numbers(Words words) {
  return {words.real(fill_first), words.real(fill_second), words.real(fill_third), words.integer(fill_first),
          words.word[fill_second]};
}

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

// What a fill may be given bounds its numbers (fault_of_fill, fill_words).
template <class T, FillKind kind>
PODIUM_DEVICE T fill_element(const FillNumbers& n, const u32* word, i64 index) {
  if constexpr (is_same<T, e2m1x2>) {  // a byte is written whole: no two threads share one
    const e2m1 low = fill_element<e2m1, kind>(n, word, 2 * index);
    const e2m1 high = fill_element<e2m1, kind>(n, word + words_per_element<e2m1, kind>, 2 * index + 1);
    return T{u8(low.bits | high.bits << 4)};
  } else if constexpr (kind == FillKind::normal) {
    if constexpr (words_per_element<T, kind> == 2)
      return narrow<T, true>(n.first + n.second * normal_number(word[0], word[1]));
    else
      return narrow<T, true>(n.first + n.second * normal_number(word[0]));
  } else if constexpr (kind == FillKind::uniform) {
    double u;  // in [0, 1): every multiple of 2^-32, or of 2^-53 for 8-byte elements
    if constexpr (sizeof(T) == 8)
      u = double((u64(word[0]) | u64(word[1]) << 32) >> 11) * 0x1p-53;
    else
      u = double(word[0]) * 0x1p-32;
    const double x = n.first + n.second * u;
    return narrow<T, true>(x < n.third ? x : n.third);
  } else if constexpr (kind == FillKind::integers) {
    u64 draw;
    if constexpr (sizeof(T) == 8)
      draw = multiply_high(u64(word[0]) | u64(word[1]) << 32, n.range);
    else
      draw = multiply_high(u64(word[0]) << 32, n.range);
    return narrow_integer<T>(n.low + i64(draw));
  } else if constexpr (kind == FillKind::zeros) {
    return narrow_integer<T>(0);
  } else if constexpr (kind == FillKind::ones) {
    return narrow_integer<T>(1);
  } else {
    return narrow<T, true>(n.first + n.second * double(index));
  }
}

struct alignas(16) Pack {
  u64 half[2];
};
template <int bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using type = u8;
};
template <>
struct BitsOf<2> {
  using type = u16;
};
template <>
struct BitsOf<4> {
  using type = u32;
};
template <>
struct BitsOf<8> {
  using type = u64;
};

template <class T, FillKind kind>
PODIUM_SHARED void fill_as(Words words, Group group, T* data, i64 count, u32 tensor) {
  const FillNumbers numbers = fill_numbers(words);
  [[maybe_unused]] const u64 seed = words.word[launch_seed], stream = stream_of(Stream::fill, tensor);
  constexpr int needed = words_per_element<T, kind>;
#if PODIUM_GPU
  constexpr int width = 16 / sizeof(T), blocks = width * needed / 4;  // a thread writes 16 bytes
  // Narrow elements are made piece by piece: all at once they are more code than all else in a program.
  constexpr int pieces = blocks > 0 ? blocks : width > 4 ? width / 4 : 1, each = width / pieces;
  constexpr int at_once = pieces > 2 ? 1 : pieces;
  for_each((count + width - 1) / width, group, [&](const i64 pack) {
    const i64 first = pack * width;
    Pack out = {};
#pragma unroll at_once
    for (int piece = 0; piece < pieces; ++piece) {
      Block4 drawn = {};
      if constexpr (blocks > 0) drawn = philox(seed, u64(pack) * blocks + piece, stream);
      Pack part = {};
#pragma unroll
      for (int k = 0; k < each; ++k)
        part.half[k * sizeof(T) / 8] |=
            raw(fill_element<T, kind>(numbers, drawn.word + k * needed, first + piece * each + k))
            << (k * sizeof(T) % 8 * 8);
      if constexpr (pieces == 1) {
        out = part;
      } else {
        const u64 placed = part.half[0] << (piece * each * sizeof(T) % 8 * 8);
        (piece < pieces / 2 ? out.half[0] : out.half[1]) |= placed;
      }
    }
    if (first + width <= count) {
      *reinterpret_cast<Pack*>(data + first) = out;
    } else {
      using Bits = typename BitsOf<sizeof(T)>::type;
#pragma unroll 1
      for (int k = 0; first + k < count; ++k)
        reinterpret_cast<Bits*>(data)[first + k] =
            Bits((k * sizeof(T) < 8 ? out.half[0] : out.half[1]) >> (k * sizeof(T) % 8 * 8));
    }
  });
#else
  constexpr int blocks = 4 * philox_width, batch = needed ? 4 * blocks / needed : 256;
  const Chunk part = chunk(count, group.index, group.count, batch);
  for (i64 first = part.begin; first < part.end; first += batch) {
    u32 random[4 * blocks];
    if constexpr (needed > 0) philox_sequence(seed, u64(first / batch) * blocks, stream, blocks, random);
    const int n = int(part.end - first < batch ? part.end - first : batch);
    for (int k = 0; k < n; ++k)
      data[first + k] = fill_element<T, kind>(numbers, random + k * needed, first + k);
  }
#endif
}

template <FillKind kind, class T>
PODIUM_DEVICE bool filled(Words words, Group group, T* data, i64 count, u32 tensor) {
  if (FillKind(words.word[fill_kind]) != kind) return false;
  if constexpr (kind == FillKind::permutation)
    permute(words, group, data, count, tensor);
  else
    fill_as<T, kind>(words, group, data, count, tensor);
  return true;
}

// kinds: those that the tensor is filled by; any other ends the program.
template <FillKind... kinds, class T>
PODIUM_DEVICE void fill(Words words, Group group, T* data, i64 count, u32 tensor) {
  if (!(filled<kinds>(words, group, data, count, tensor) || ...)) trap();
}

}  // namespace podium::program
