// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What terms may ask of structure besides its elements.
#pragma once
#include "access.hpp"

namespace podium::program {

// Structure number s of the problem, as a term calls it: length(b).
template <class T, int s, int place, int rank>
using Structure = Tensor<T, structure_target + s, place, rank>;

// The segment s of ascending offsets that holds e: offsets(s) <= e < offsets(s + 1). Empty segments hold
// nothing. What lies outside of all is a fault and reads 0.
template <class T, int id, int place>
PODIUM_DEVICE i64 segment(const TensorOf<T, id, place, Axes<0>, RowMajor>& offsets, Coordinate e) {
  static_assert(is_integral<T>, "offsets are whole numbers");
  const T* const values = offsets.words.template address<const T>(place);
  const i64 last = offsets.words.integer(place + 1) - 1;
  if (last < 1 || e.value < i64(values[0]) || e.value >= i64(values[last])) {
    const i64 at[1] = {e.value};
    note_fault(offsets.words, fault_segment, offsets.site, id, at);
    return 0;
  }
  i64 low = 0, high = last;
  while (high - low > 1) {
    const i64 middle = low + (high - low) / 2;
    if (i64(values[middle]) <= e.value)
      low = middle;
    else
      high = middle;
  }
  return low;
}

}  // namespace podium::program
