// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of words of tensor memory, against one number for each word.
#include "emulators/nvidia/device/tensor_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace podium::ptx {
namespace {

constexpr u32 words = tensor_lanes * tensor_columns;

TEST(NumbersOfWords, AreNoneAtFirst) {
  const NumbersOfWords numbers;
  EXPECT_EQ(numbers[0], 0u);
  EXPECT_EQ(numbers[words - 1], 0u);
  EXPECT_EQ(numbers.run(0, words), words);
}

TEST(NumbersOfWords, RunsEndWhereAnotherNumberStands) {
  NumbersOfWords numbers;
  numbers.fill(32, 32, 7);
  EXPECT_EQ(numbers.run(0, 128), 32u);
  EXPECT_EQ(numbers.run(40, 128), 24u);
  EXPECT_EQ(numbers.run(40, 3), 3u);
  numbers.fill(50, 1, 8);
  EXPECT_EQ(numbers.run(50, 20), 1u);
  EXPECT_EQ(numbers[49], 7u);
  EXPECT_EQ(numbers[51], 7u);
}

TEST(NumbersOfWords, AreThoseFilledLast) {
  std::mt19937 random(1);
  const auto below = [&](u32 count) { return static_cast<u32>(random() % count); };
  NumbersOfWords numbers;
  std::vector<u32> wanted(words);
  for (int round = 0; round < 3000; ++round) {
    const u32 lane = below(2), column = below(tensor_columns), number = below(3);
    const u32 count = 1 + below(std::min(tensor_columns - column, below(2) == 0 ? 200u : 5u));
    numbers.fill(tensor_word(lane, column), count, number);
    std::fill_n(wanted.begin() + tensor_word(lane, column), count, number);

    const u32 from = below(2 * tensor_columns), most = 1 + below(2 * tensor_columns - from);
    ASSERT_EQ(numbers[from], wanted[from]);
    const u32 run = numbers.run(from, most);
    ASSERT_GE(run, 1u);
    ASSERT_LE(run, most);
    for (u32 i = 0; i < run; ++i) ASSERT_EQ(wanted[from + i], wanted[from]) << "run from " << from;
  }
  for (u32 word = 0; word < 3 * tensor_columns; ++word) ASSERT_EQ(numbers[word], wanted[word]);
}

}  // namespace
}  // namespace podium::ptx
