// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checked indexing of tensors: an index that remembers where in the source it was written.
#pragma once
#include <podium/emulation/place.hpp>

#include <concepts>
#include <cstdint>

namespace podium::host {

struct Index {
  std::int64_t value;
  const char* file;
  int line;
  template <std::integral Integer>
  constexpr Index(Integer index, PODIUM_HERE)
      : value(static_cast<std::int64_t>(index)), file(file), line(line) {}
};

// Ends the block if called in a kernel, else throws std::out_of_range.
[[noreturn]] void index_out_of_range(const std::int64_t* extents, const Index* indices, int rank);

template <int Rank>
std::int64_t offset(const std::int64_t* extents, const std::int64_t* strides, const Index (&indices)[Rank]) {
  std::int64_t result = 0;
  for (int axis = 0; axis < Rank; ++axis) {
    const std::int64_t index = indices[axis].value;
    if (index < 0 || index >= extents[axis]) index_out_of_range(extents, indices, Rank);
    result += index * strides[axis];
  }
  return result;
}

}  // namespace podium::host
