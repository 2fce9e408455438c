// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Elements of a matrix operand, many at once: as one by one.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

#include "emulators/nvidia/device/products.hpp"

namespace podium::ptx {
namespace {

constexpr u32 rows = 40, k = 40;

void expect_same(const MatrixOperand& a, const MatrixOperand& b) {
  for (u32 row = 0; row < rows; ++row) {
    EXPECT_EQ(a.special(row), b.special(row)) << "row " << row;
    for (u32 i = 0; i < k; ++i) {
      EXPECT_EQ(bits<u32>(a.get(row, i)), bits<u32>(b.get(row, i))) << "row " << row << ", k " << i;
      EXPECT_EQ(a.significands(row)[i], b.significands(row)[i]) << "row " << row << ", k " << i;
      EXPECT_EQ(a.exponents(row)[i], b.exponents(row)[i]) << "row " << row << ", k " << i;
    }
  }
}

// Of `count` numbers, of which `odd` stands at a place; the others are normal, and zeros of both signs.
std::vector<f32> numbers(u32 count, u32 place, f32 odd) {
  std::vector<f32> all(count);
  for (u32 i = 0; i < count; ++i)
    all[i] = i % 5 == 0   ? 0.0f
             : i % 7 == 0 ? -0.0f
                          : (i % 2 == 0 ? 1.5f : -3.25f) * static_cast<f32>(1u << i % 20);
  all[place] = odd;
  return all;
}

class OddNumbers : public testing::TestWithParam<f32> {};

// For ranges of several lengths, the odd number at each place of them: what both calls make is the same.
void expect_same_of(f32 odd, const std::function<void(MatrixOperand&, const std::vector<f32>&)>& together,
                    const std::function<void(MatrixOperand&, u32, f32)>& single) {
  for (const u32 count : {1u, 7u, 8u, 9u, 24u, 37u})
    for (u32 place = 0; place < count; ++place) {
      MatrixOperand a(rows, k), b(rows, k);
      const std::vector<f32> values = numbers(count, place, odd);
      together(a, values);
      for (u32 i = 0; i < count; ++i) single(b, i, values[i]);
      expect_same(a, b);
    }
}

TEST_P(OddNumbers, AreSetInRowsAsOneByOne) {
  expect_same_of(
      GetParam(),
      [](MatrixOperand& matrix, const std::vector<f32>& values) {
        matrix.set_row(2, 3, values.data(), static_cast<u32>(values.size()));
      },
      [](MatrixOperand& matrix, u32 i, f32 value) { matrix.set(2, 3 + i, value); });
}

TEST_P(OddNumbers, AreSetInColumnsAsOneByOne) {
  expect_same_of(
      GetParam(),
      [](MatrixOperand& matrix, const std::vector<f32>& values) {
        matrix.set_column(3, 2, values.data(), static_cast<u32>(values.size()));
      },
      [](MatrixOperand& matrix, u32 i, f32 value) { matrix.set(3 + i, 2, value); });
}

INSTANTIATE_TEST_SUITE_P(MatrixOperand, OddNumbers,
                         testing::Values(2.0f, std::numeric_limits<f32>::denorm_min() * 65536,
                                         -std::numeric_limits<f32>::min() / 4,
                                         std::numeric_limits<f32>::infinity(),
                                         std::numeric_limits<f32>::quiet_NaN(),
                                         std::numeric_limits<f32>::min()));

}  // namespace
}  // namespace podium::ptx
