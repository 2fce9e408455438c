// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The least time of work by measured ceilings, worked out by hand.
#include "suite/measure/least_time.hpp"

#include <gtest/gtest.h>

namespace podium::measure {
namespace {

constexpr Ceilings rates{.copy = 4e12, .read = 5e12, .write = 2e12};

TEST(Ceiling, OfReadingWritingAndCopyingAlone) {
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 0}, rates), 1e9 / 5e12);
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 1e9}, rates), 1e9 / 2e12);
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 5e8}, rates), 1e9 / 4e12);
}

TEST(Ceiling, OfAMixIsBetween) {
  // 0.5 GB is copied, to and fro, and 0.5 GB read alone; or written alone.
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 2.5e8}, rates), 5e8 / 4e12 + 5e8 / 5e12);
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 7.5e8}, rates), 5e8 / 4e12 + 5e8 / 2e12);
}

// Outputs of which the problem says that not all of them move.
TEST(Ceiling, NoMoreIsWrittenThanMoves) {
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 3e9}, rates), 1e9 / 2e12);
}

TEST(Ceiling, WhatOldRunsDidNotMeasureIsThatOfACopy) {
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = -1}, rates), 1e9 / 4e12);
  EXPECT_DOUBLE_EQ(memory_time({.bytes = 1e9, .written = 0}, {.copy = 4e12}), 1e9 / 4e12);
}

TEST(Ceiling, OfArithmeticWhereItTakesLonger) {
  const Ceilings all{.copy = 4e12, .arithmetic = 1e14};
  EXPECT_DOUBLE_EQ(light_time({.bytes = 1e9, .flops = 1e12}, all).seconds, 1e12 / 1e14);
  EXPECT_TRUE(light_time({.bytes = 1e9, .flops = 1e12}, all).arithmetic);
  EXPECT_DOUBLE_EQ(light_time({.bytes = 1e9, .flops = 1e10}, all).seconds, 1e9 / 4e12);
  EXPECT_FALSE(light_time({.bytes = 1e9, .flops = 1e10}, all).arithmetic);
}

TEST(Ceiling, IsNotToldWithoutRates) {
  EXPECT_EQ(light_time({.bytes = 1e9}, {}).seconds, 0);
  EXPECT_EQ(light_time({.bytes = 0}, rates).seconds, 0);
  EXPECT_EQ(light_time({.bytes = 1e9, .flops = 1e12}, rates).seconds, 0) << "arithmetic may take longer";
  EXPECT_GT(light_time({.bytes = 1e9, .flops = 4e9}, rates).seconds, 0) << "few operations a byte";
}

}  // namespace
}  // namespace podium::measure
