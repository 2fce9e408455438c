// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Operands of CUTLASS's formats, which may be narrower than a byte.
#pragma once
#include <cute/tensor.hpp>

#include "checked.hpp"

namespace checked {

// Bytes of elements, and their values.
template <class T>
struct Packed {
  explicit Packed(std::size_t count, Random& random) : bytes(count * cute::sizeof_bits_v<T> / 8) {
    for (std::size_t i = 0; i < count; ++i) {
      const T number(random.small());
      cute::subbyte_iterator<T>(reinterpret_cast<T*>(bytes.data()))[i] = number;
      values.push_back(double(float(number)));
    }
  }
  std::vector<std::uint8_t> bytes;
  std::vector<double> values;
};

}  // namespace checked
