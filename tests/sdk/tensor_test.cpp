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
static_assert(std::is_trivially_copyable_v<podium::PackedTensor<const float, 3>> &&
              std::is_standard_layout_v<podium::PackedTensor<int, 1>> &&
              sizeof(podium::PackedTensor<int, 2>) == sizeof(podium::Tensor<int, 2>));
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

// No stride is looked at for the last axis: one that is no 1 shows it.
TEST(PackedTensor, KnowsThatItsLastAxisIsContiguous) {
  std::vector<int> numbers(60);
  const podium::PackedTensor<int, 1> line{{numbers.data(), {60}, {7}}};
  EXPECT_EQ(&line(std::uint8_t{9}), numbers.data() + 9);
  EXPECT_EQ(line.stride(0), 1);
  const podium::PackedTensor<int, 3> padded{{numbers.data(), {2, 3, 5}, {30, 8, 7}}};
  EXPECT_EQ(&padded(1, 2, 4), numbers.data() + 30 + 16 + 4);
  EXPECT_EQ(padded.stride(1), 8);
  const podium::Tensor<int, 3>& any = padded;
  EXPECT_EQ(&any(0, 0, 1), numbers.data() + 7) << "as a Tensor it goes by its strides";
  EXPECT_EQ(&(podium::PackedTensor<int, 0>{{numbers.data(), {}, {}}}()), numbers.data());
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
  EXPECT_EQ(&(podium::wire::packed<int, 2>(wire)(1, 2)), numbers + 5);
  const std::int64_t across[] = {1, 2};
  EXPECT_THROW((podium::wire::packed<int, 2>({numbers, copy, extents, across})), podium::Error);
  EXPECT_EQ(&(podium::wire::view<int, 2>({numbers, copy, extents, across})(1, 2)), numbers + 5);
  const auto structure = podium::wire::both<int, 2>(wire);
  EXPECT_EQ(&structure.host(1, 0), copy + 3);
  EXPECT_EQ(&structure.device(1, 0), numbers + 3);
  EXPECT_EQ(structure.host.extent(1), 3);
}

}  // namespace
