// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Inputs from a seed: the same bits on every backend. Element e of tensor t depends on (seed, t, e) alone: it
// uses its own words of the Philox stream whose key is the seed and whose counter's high half is t. Integers,
// + - * and floor only, compiled without contraction, one rounding to the element type.
#pragma once
#include "fill_kinds.hpp"
#include "kernel.hpp"
#include "numbers.hpp"
#include "philox.hpp"

namespace podium::program {

// 32-bit words of the stream that one element uses.
template <class T, class Kind>
inline constexpr int words_per_element = Kind::drawn ? (sizeof(T) == 8 ? 2 : 1) : 0;
template <class Kind>
inline constexpr int words_per_element<e2m1x2, Kind> = 2 * words_per_element<e2m1, Kind>;

PODIUM_DEVICE FillNumbers fill_numbers(Words words) {
  return {words.real(fill_first), words.real(fill_second), words.real(fill_third), words.integer(fill_first),
          words.word[fill_second]};
}

template <class T, class Kind>
PODIUM_DEVICE T fill_element(const FillNumbers& n, const u32* word, i64 index) {
  if constexpr (is_same<T, e2m1x2>) {  // a byte is written whole: no two threads share one
    const e2m1 low = fill_element<e2m1, Kind>(n, word, 2 * index);
    const e2m1 high = fill_element<e2m1, Kind>(n, word + words_per_element<e2m1, Kind>, 2 * index + 1);
    return T{u8(low.bits | high.bits << 4)};
  } else {
    return Kind::template element<T>(n, word, index);
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

template <class T, class Kind>
PODIUM_SHARED void fill_as(Words words, Group group, T* data, i64 count, u32 tensor) {
  const FillNumbers numbers = fill_numbers(words);
  [[maybe_unused]] const u64 seed = words.word[launch_seed], stream = stream_of(Stream::fill, tensor);
  constexpr int needed = words_per_element<T, Kind>;
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
            raw(fill_element<T, Kind>(numbers, drawn.word + k * needed, first + piece * each + k))
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
      data[first + k] = fill_element<T, Kind>(numbers, random + k * needed, first + k);
  }
#endif
}

template <class Kind, class T>
PODIUM_DEVICE bool filled(Words words, Group group, T* data, i64 count, u32 tensor) {
  if (words.word[fill_kind] != Kind::id) return false;
  if constexpr (Kind::by_element)
    fill_as<T, Kind>(words, group, data, count, tensor);
  else
    Kind::fill(words, group, data, count, tensor);
  return true;
}

// Kinds: those that the tensor is filled by; any other ends the program.
template <class... Kinds, class T>
PODIUM_DEVICE void fill(Words words, Group group, T* data, i64 count, u32 tensor) {
  if (!(filled<Kinds>(words, group, data, count, tensor) || ...)) trap();
}

}  // namespace podium::program
