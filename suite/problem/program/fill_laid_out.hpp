// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills of tensors that do not lie row-major: the same number for the same indices, element by element.
#pragma once
#include "fill.hpp"
#include "laid_out.hpp"

namespace podium::program {

// What is written at once: an element, or a pair of e2m1.
template <class T>
struct UnitOf {
  using type = T;
};
template <>
struct UnitOf<e2m1> {
  using type = e2m1x2;
};

template <class Unit, class Kind, class T, class Layout>
PODIUM_SHARED void fill_laid_out(Words words, Group group, LaidOut<T, Layout> data, i64 count, u32 tensor) {
  const FillNumbers numbers = fill_numbers(words);
  [[maybe_unused]] const u64 seed = words.word[launch_seed], stream = stream_of(Stream::fill, tensor);
  constexpr int per_unit = is_same<Unit, T> ? 1 : 2;
  constexpr int needed = words_per_element<Unit, Kind>;
  static_assert(needed == 0 || needed == 1 || needed == 2 || needed == 4,
                "an element's words lie in one block");
  for_each(count / per_unit, group, [&](const i64 k) {
    Block4 drawn = {};
    if constexpr (needed > 0) drawn = philox(seed, u64(k) * needed / 4, stream);
    Unit* const first = reinterpret_cast<Unit*>(data.data);
    first[Layout::position(words, per_unit * k) / per_unit] =
        fill_element<Unit, Kind>(numbers, drawn.word + u64(k) * needed % 4, k);
  });
}

template <class Kind, class T, class Layout>
PODIUM_DEVICE bool filled(Words words, Group group, LaidOut<T, Layout> data, i64 count, u32 tensor) {
  if (words.word[fill_kind] != Kind::id) return false;
  if constexpr (Kind::by_element)
    fill_laid_out<typename UnitOf<T>::type, Kind>(words, group, data, count, tensor);
  else
    Kind::fill(words, group, data, count, tensor);
  return true;
}

template <class... Kinds, class T, class Layout>
PODIUM_DEVICE void fill(Words words, Group group, LaidOut<T, Layout> data, i64 count, u32 tensor) {
  if (!(filled<Kinds>(words, group, data, count, tensor) || ...)) trap();
}

}  // namespace podium::program
