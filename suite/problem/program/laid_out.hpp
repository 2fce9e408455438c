// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensors that do not lie row-major, or not in whole bytes. A layout has at(words, index) and position(words,
// linear): where the element with these indices, or of that row-major number, lies, in elements.
#pragma once
#include "kernel.hpp"
#include "numbers.hpp"

namespace podium::program {

// *data, which nobody writes while this kernel runs: read once however often a term asks for it.
template <class T>
PODIUM_DEVICE T constant_load(const T* data) {
#if PODIUM_GPU && !defined(__HIP__)
  if constexpr (is_any<T, f16, bf16, boolean> || is_small_float<T>)
    return T{__ldg(&data->bits)};
  else
    return __ldg(data);
#else
  return *data;
#endif
}

// Element number `position` in memory.
template <class T>
PODIUM_DEVICE T load(const T* data, i64 position) {
  if constexpr (is_same<T, e2m1>) {
    const u32 pair = constant_load(reinterpret_cast<const u8*>(data) + (position >> 1));
    return {u8((pair >> (4 * (position & 1))) & 15u)};
  } else {
    return constant_load(data + position);
  }
}

// place: where the words are: address, extents, and for Strided the strides.
template <int place, int rank>
PODIUM_DEVICE void unravel(Words words, i64 linear, i64 (&index)[rank]) {
  for (int k = rank - 1; k > 0; --k) {
    const i64 extent = words.integer(place + 1 + k);
    const i64 whole = quotient(linear, extent);
    index[k] = linear - whole * extent;
    linear = whole;
  }
  index[0] = linear;
}

struct RowMajor {
  PODIUM_DEVICE static i64 position(Words, i64 linear) { return linear; }
};

template <int place, int rank>
struct Strided {
  PODIUM_DEVICE static i64 at(Words words, const i64 (&index)[rank]) {
    i64 position = 0;
    for (int k = 0; k < rank; ++k) position += index[k] * words.integer(place + 1 + rank + k);
    return position;
  }
  PODIUM_DEVICE static i64 position(Words words, i64 linear) {
    i64 index[rank];
    unravel<place, rank>(words, linear, index);
    return at(words, index);
  }
};

// Tiles of 128 rows and 4 columns, row-major; within a tile by row mod 32, row / 32 mod 4, column. A first
// axis of three is a batch of these.
template <int place, int rank>
struct Scales128x4 {
  static_assert(rank == 2 || rank == 3, "rows and columns, or a batch of them");
  PODIUM_DEVICE static i64 at(Words words, const i64 (&index)[rank]) {
    const i64 row = index[rank - 2], column = index[rank - 1];
    const i64 rows = words.integer(place + 1 + rank - 2), columns = words.integer(place + 1 + rank - 1);
    const i64 across = (columns + 3) >> 2, batch = rank == 3 ? index[0] * ((rows + 127) >> 7) : 0;
    const i64 tile = (batch + (row >> 7)) * across + (column >> 2);
    return tile * 512 + (row & 31) * 16 + ((row >> 5) & 3) * 4 + (column & 3);
  }
  PODIUM_DEVICE static i64 position(Words words, i64 linear) {
    i64 index[rank];
    unravel<place, rank>(words, linear, index);
    return at(words, index);
  }
};

// Stands where a pointer to row-major elements would, for reading.
template <class T, class Layout>
struct LaidOut {
  Words words;
  T* data;
  PODIUM_DEVICE T operator[](i64 linear) const { return load(data, Layout::position(words, linear)); }
};

// Whether an element's bytes still hold `pattern`; of e2m1 the byte that it shares.
template <class T>
PODIUM_DEVICE bool holds(const T* data, i64 linear, u64 pattern) {
  return raw(data[linear]) == pattern;
}
template <class T, class Layout>
PODIUM_DEVICE bool holds(const LaidOut<T, Layout>& data, i64 linear, u64 pattern) {
  if constexpr (is_same<T, e2m1>)
    return reinterpret_cast<const u8*>(data.data)[Layout::position(data.words, linear) >> 1] == pattern;
  else
    return raw(data[linear]) == pattern;
}

}  // namespace podium::program
