// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Block scales in the layout scales_128x4, which tensor cores of Blackwell and cuBLASLt take. A shape [rows,
// columns] of the problem is seen as its tiles, [rows / 128, columns / 4, 32, 4, 4] with both quotients
// rounded up, [batch, …] before them if it has three axes. A library takes `data` as it is. The padding of
// the last tiles is zero in inputs and need not be written in outputs.
#pragma once
#include <podium/tensor.hpp>

namespace podium {

template <class T>
PODIUM_BOTH T& scale_at(const Tensor<T, 5>& tiles, std::int64_t row, std::int64_t column) {
  return tiles(row / 128, column / 4, row % 32, row / 32 % 4, column % 4);
}
template <class T>
PODIUM_BOTH T& scale_at(const Tensor<T, 6>& tiles, std::int64_t batch, std::int64_t row,
                        std::int64_t column) {
  return tiles(batch, row / 128, column / 4, row % 32, row / 32 % 4, column % 4);
}

}  // namespace podium
