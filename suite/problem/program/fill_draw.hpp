// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Draws of fills by `value`: random(k) and normal(k) of the element's own indices, or of any coordinates, so
// that elements may share one. A draw depends on (seed, tensor, k, coordinates) alone.
#pragma once
#include "fill.hpp"
#include "index.hpp"
#include "term.hpp"

namespace podium::program {

struct Draws {
  u64 seed;
  u32 tensor;
};

// The key of draw k of `coordinates` coordinates: Philox of the seed, in a stream of its own.
PODIUM_DEVICE u64 key_of(const Block4& block) { return u64(block.word[0]) | u64(block.word[1]) << 32; }
PODIUM_DEVICE u64 draw_key(const Draws& draws, int k, int coordinates) {
  return key_of(
      philox(draws.seed, u64(u32(k)) | u64(u32(coordinates)) << 32, stream_of(Stream::draw, draws.tensor)));
}

// Two coordinates fill a counter; the block of one pair is the key of the next.
template <int count>
PODIUM_DEVICE Block4 draw_block(const Draws& draws, int k, const i64 (&coordinate)[count]) {
  u64 key = draw_key(draws, k, count - 1);
  int at = 0;
  for (; at + 2 < count - 1; at += 2) key = key_of(philox(key, u64(coordinate[at]), u64(coordinate[at + 1])));
  return philox(key, u64(coordinate[at]), at + 1 < count - 1 ? u64(coordinate[at + 1]) : 0);
}

struct Uniform {  // in [0, 1): every multiple of 2^-53
  PODIUM_DEVICE static double of(const Block4& block) {
    return double((u64(block.word[0]) | u64(block.word[1]) << 32) >> 11) * 0x1p-53;
  }
};
struct Normal {  // mean 0, standard deviation 1, as the fill `normal`; independent of Uniform's words
  PODIUM_DEVICE static double of(const Block4& block) { return normal_number(block.word[2], block.word[3]); }
};

template <class Distribution, int rank>
struct Draw {
  Draws draws;
  i64 own[rank ? rank : 1];

  PODIUM_DEVICE double operator()(int k) const {
    i64 coordinate[rank + 1] = {};
    for (int axis = 0; axis < rank; ++axis) coordinate[axis] = own[axis];
    return Distribution::of(draw_block(draws, k, coordinate));
  }
  template <class... I>
  PODIUM_DEVICE double operator()(int k, I... index) const {
    const i64 coordinate[sizeof...(I) + 1] = {Coordinate(index).value..., 0};
    return Distribution::of(draw_block(draws, k, coordinate));
  }
};

// An integer in as many bits as a double holds, the last of them set if any was lost: rounding it once more
// to a narrower format is then right (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums",
// 2008).
PODIUM_DEVICE double rounded_to_odd(u64 x) {
  constexpr u64 lost = (u64(1) << 11) - 1;
  return double(x >> 53 == 0 ? x : (x & ~lost) | ((x & lost) != 0 ? lost + 1 : 0));
}

// A term's number as an element: to nearest even, integers downwards and limited to what the type holds.
template <class T>
PODIUM_DEVICE T drawn_element(double x) {
  return narrow<T>(x);
}
template <class T>
PODIUM_DEVICE T drawn_element(i64 x) {
  if constexpr (is_any<T, f64, f32>)
    return T(x);
  else if constexpr (is_float_element<T>)
    return narrow<T>(x < 0 ? -rounded_to_odd(~u64(x) + 1) : rounded_to_odd(u64(x)));
  else if (x <= lowest_integer<T>)
    return narrow_lowest<T>();
  else
    return narrow_integer<T>(u64(x) >= largest_integer<T> && x > 0 ? i64(largest_integer<T>) : x);
}
template <class T>
PODIUM_DEVICE T drawn_element(u64 x) {
  if constexpr (is_any<T, f64, f32>)
    return T(x);
  else if constexpr (is_float_element<T>)
    return narrow<T>(rounded_to_odd(x));
  else
    return narrow_integer<T>(i64(x >= largest_integer<T> ? largest_integer<T> : x));
}

// Takes the index of the last axis, of extent `extent`, off a linear index.
PODIUM_DEVICE i64 take_last(i64& element, i64 extent) {
  const i64 rest = ((element | extent) >> 32) == 0 ? i64(u32(element) / u32(extent)) : element / extent;
  const i64 index = element - rest * extent;
  element = rest;
  return index;
}

// R: value(words, draws, element).
template <class R, class T>
PODIUM_DEVICE void draw(Words words, Group group, T* data, i64 count, u32 tensor) {
  const Draws draws{words.word[launch_seed], tensor};
  for_each(count, group,
           [&](const i64 element) { data[element] = drawn_element<T>(R::value(words, draws, element)); });
}

}  // namespace podium::program
