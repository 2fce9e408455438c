// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Draws of fills by `value`: random(k) and normal(k) of the element's own indices, or of any coordinates, so
// that elements may share one. A draw depends on (seed, tensor, k, coordinates) alone.
#pragma once
#include "fill.hpp"
#include "fill_elements.hpp"
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

// Takes the index of the last axis, of extent `extent`, off a linear index.
PODIUM_DEVICE i64 take_last(i64& element, i64 extent) {
  const i64 rest = ((element | extent) >> 32) == 0 ? i64(u32(element) / u32(extent)) : element / extent;
  const i64 index = element - rest * extent;
  element = rest;
  return index;
}

// R: value(words, draws, element).
template <class R, class Data>
PODIUM_DEVICE void draw(Words words, Group group, Data data, i64 count, u32 tensor) {
  const Draws draws{words.word[launch_seed], tensor};
  write_elements(words, group, data, count,
                 [&](const i64 element) { return R::value(words, draws, element); });
}

// What a derived fill has evaluated, R, rounded into the tensor's elements.
template <class R, class Data>
PODIUM_DEVICE void round_results(Words words, Group group, Data data, i64 count) {
  using Value = typename R::Value;
  write_elements(words, group, data, count,
                 [&](const i64 element) { return words.address<const Value>(R::place)[element]; });
}

}  // namespace podium::program
