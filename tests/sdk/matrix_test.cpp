// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Products of tiles by a warp, against plain loops.
#include <podium/matrix.hpp>

#include <random>

#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;
namespace matrix = podium::matrix;
constexpr int side = matrix::side, tile = side * side;

class Matrix : public BothOrders {};
INSTANTIATE_TEST_SUITE_P(Orders, Matrix, both_orders(), name_of_order);

template <class T>
std::vector<T> random_tile(unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<T> numbers(tile);
  for (T& x : numbers) x = podium::cast<T>(normal(generator));
  return numbers;
}

// sums = left * right, and twice = rounded(sums) * right; `turned`: right's columns are rows in memory.
template <class T>
__global__ void products(const T* left, const T* right, bool turned, float* sums, float* twice) {
  __shared__ T a[tile], b[tile];
  const int lane = static_cast<int>(threadIdx.x);
  for (int n = lane; n < tile; n += warpSize) a[n] = left[n], b[n] = right[n];
  __syncwarp();
  const auto in_b = [](int row, int column) { return b + row * side + column; };
  const auto l = matrix::load_left<T>([](int row, int column) { return a + row * side + column; });
  const auto r = turned ? matrix::load_columns<T>(in_b) : matrix::load_rows<T>(in_b);
  matrix::Sums first = {}, second = {};
  matrix::multiply_add(l, r, first);
  matrix::multiply_add(matrix::rounded<T>(first), r, second);
  for (int n = 0; n < matrix::held; ++n) {
    const int at = matrix::row(lane, n) * side + matrix::column(lane, n);
    sums[at] = first.at[n];
    twice[at] = second.at[n];
  }
}

template <class T>
void compare(bool turned) {
  const auto a = random_tile<T>(1), b = random_tile<T>(2);
  std::vector<float> sums(tile, NAN), twice(tile, NAN);
  launch(products<T>, 1, lanes, a.data(), b.data(), turned, sums.data(), twice.data());
  const auto number = [](auto x) { return podium::cast<float>(x); };
  const auto product = [&](auto left, int i, int j) {
    float sum = 0;
    for (int k = 0; k < side; ++k)
      sum += number(left[static_cast<std::size_t>(i * side + k)]) *
             number(b[static_cast<std::size_t>(turned ? j * side + k : k * side + j)]);
    return sum;
  };
  std::vector<T> rounded;
  for (float x : sums) rounded.push_back(podium::cast<T>(x));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const auto at = static_cast<std::size_t>(i * side + j);
      EXPECT_FLOAT_EQ(sums[at], product(a, i, j)) << i << ", " << j;
      EXPECT_FLOAT_EQ(twice[at], product(rounded, i, j)) << i << ", " << j;
    }
}
TEST_P(Matrix, ProductsOfHalves) {
  compare<podium::f16>(false);
  compare<podium::f16>(true);
}
TEST_P(Matrix, ProductsOfBf16) {
  compare<podium::bf16>(false);
  compare<podium::bf16>(true);
}

// Sums of a row: each lane adds up its own, the lanes that share the row the rest.
__global__ void row_sums(float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int slot = 0; slot < matrix::rows_held; ++slot) {
    float sum = 0;
    for (int n = 0; n < matrix::held; ++n)
      if (matrix::row_slot(n) == slot)
        sum += static_cast<float>(matrix::row(lane, n) * 100 + matrix::column(lane, n));
    sum = matrix::across_row(sum, [](float x, float y) { return x + y; });
    out[matrix::row_of_slot(lane, slot)] = sum;
  }
}
TEST_P(Matrix, RowsAreReducedAcrossTheirLanes) {
  std::vector<float> out(side, NAN);
  launch(row_sums, 1, lanes, out.data());
  for (int i = 0; i < side; ++i)
    EXPECT_EQ(out[static_cast<std::size_t>(i)], static_cast<float>(i * 1600 + 120));
}

}  // namespace
