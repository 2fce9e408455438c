// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensor and Structure as native contestants see them.
#include <gtest/gtest.h>
#include <podium/wire.hpp>

#include <numeric>
#include <type_traits>
#include <vector>

namespace {

static_assert(std::is_trivially_copyable_v<podium::Tensor<const float, 3>> &&
              std::is_standard_layout_v<podium::Tensor<int, 0>>);
static_assert(std::is_same_v<decltype(podium::Tensor<const float, 1>{}(0)), const float&>,
              "inputs cannot be written");

TEST(Tensor, IndexesByStrides) {
  std::vector<int> numbers(60);
  std::iota(numbers.begin(), numbers.end(), 0);
  const podium::Tensor<int, 3> t{numbers.data(), {3, 4, 5}, {20, 5, 1}};
  EXPECT_EQ(t.size(), 60);
  EXPECT_EQ(t.extent(1), 4);
  EXPECT_EQ(t.stride(0), 20);
  EXPECT_EQ(t(2, 3u, std::size_t{4}), 59);
  const podium::Tensor<int, 2> transposed{numbers.data(), {5, 4}, {1, 5}};
  EXPECT_EQ(transposed(4, 2), 14);
  transposed(0, 1) = -1;
  EXPECT_EQ(numbers[5], -1);
  const podium::Tensor<int, 1> backwards{numbers.data() + 59, {60}, {-1}};
  EXPECT_EQ(backwards(1), 58);
}

TEST(Tensor, RankZeroAndEmptyExtents) {
  double number = 4;
  EXPECT_EQ((podium::Tensor<double, 0>{&number, {}, {}}()), 4);
  EXPECT_EQ((podium::Tensor<double, 0>{&number, {}, {}}.size()), 1);
  EXPECT_EQ((podium::Tensor<double, 2>{nullptr, {3, 0}, {0, 1}}.size()), 0);
}

TEST(Tensor, ComesFromTheWire) {
  int numbers[6] = {}, copy[6] = {};
  const std::int64_t extents[] = {2, 3}, strides[] = {3, 1};
  const podium::wire::Tensor wire{numbers, copy, extents, strides};
  const auto tensor = podium::wire::view<int, 2>(wire);
  EXPECT_EQ(&tensor(1, 2), numbers + 5);
  const auto structure = podium::wire::both<int, 2>(wire);
  EXPECT_EQ(&structure.host(1, 0), copy + 3);
  EXPECT_EQ(&structure.device(1, 0), numbers + 3);
  EXPECT_EQ(structure.host.extent(1), 3);
}

}  // namespace
