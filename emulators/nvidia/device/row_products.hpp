// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The dot products of products.hpp, many of one row at once: the same bits as dot_as() gives, one by one.
#pragma once
#include <vector>

#include "emulators/nvidia/device/products.hpp"

namespace podium::ptx {

// Rows of an operand side by side, k by k, as vector instructions take them.
class Columns {
 public:
  explicit Columns(const MatrixOperand& rows);
  // The same, column i of which is row order[i].
  Columns(const MatrixOperand& rows, const std::vector<u32>& order);

 private:
  friend void row_of_products(Element, const MatrixOperand&, u32, const Columns&, u32, u32, u32*,
                              Accumulation, bool);
  const MatrixOperand* rows_;  // must live as long
  std::vector<u32> order_;
  std::size_t pitch_;
  std::vector<f32> values_;
  std::vector<s16> exponents_;
  std::vector<s32> special_;  // all ones for a column that holds an infinity or a NaN
};

// d[i] = dot_as(type, a, m, <column first + i of b>, d[i], how, saturate) for i < count <= most_products.
inline constexpr u32 most_products = 256;
void row_of_products(Element type, const MatrixOperand& a, u32 m, const Columns& b, u32 first, u32 count,
                     u32* d, Accumulation how, bool saturate);

}  // namespace podium::ptx
