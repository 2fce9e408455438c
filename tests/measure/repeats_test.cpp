// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/samples.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace podium::measure {
namespace {

TEST(Repeats, FillTheTime) {
  EXPECT_EQ(repeats_for(1, 1000, 1'000'000), 1000);
  EXPECT_EQ(repeats_for(1, 3, 1'000'000), 333'334);
  EXPECT_EQ(repeats_for(1.2, 300'000, 1'000'000), 4);
}

TEST(Repeats, HaveBounds) {
  EXPECT_EQ(repeats_for(1, 20e6, 1'000'000), 3);
  EXPECT_EQ(repeats_for(1, 0.1, 1'000'000), 1'000'000);
  EXPECT_EQ(repeats_for(1, 1e-300, 1'000'000), 1'000'000);
  for (const double none :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(repeats_for(1, none, 1'000'000), 3) << none;
}

}  // namespace
}  // namespace podium::measure
