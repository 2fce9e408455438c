// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers written into a tensor's elements, each rounded once, however these lie.
#pragma once
#include "laid_out.hpp"

namespace podium::program {

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

// Two elements share a byte, which is written whole.
template <class F>
PODIUM_DEVICE e2m1x2 drawn_pair(i64 pair, F number) {
  const e2m1 low = drawn_element<e2m1>(number(2 * pair)), high = drawn_element<e2m1>(number(2 * pair + 1));
  return {u8(low.bits | high.bits << 4)};
}

// number(element): a double, i64 or u64. count: of elements of `data`, which may be pairs.
template <class T, class F>
PODIUM_DEVICE void write_elements(Words, Group group, T* data, i64 count, F number) {
  for_each(count, group, [&](const i64 at) {
    if constexpr (is_same<T, e2m1x2>)
      data[at] = drawn_pair(at, number);
    else
      data[at] = drawn_element<T>(number(at));
  });
}
template <class T, class Layout, class F>
PODIUM_DEVICE void write_elements(Words words, Group group, LaidOut<T, Layout> data, i64 count, F number) {
  if constexpr (is_same<T, e2m1>)
    for_each(count / 2, group, [&](const i64 pair) {
      reinterpret_cast<e2m1x2*>(data.data)[Layout::position(words, 2 * pair) / 2] = drawn_pair(pair, number);
    });
  else
    for_each(count, group, [&](const i64 element) {
      data.data[Layout::position(words, element)] = drawn_element<T>(number(element));
    });
}

}  // namespace podium::program
