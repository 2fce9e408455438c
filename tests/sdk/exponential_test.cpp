// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The native contestants' exponential against the library's in fp64, over all of its range.
#include <gtest/gtest.h>
#include <podium/exponential.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

TEST(Exponential, IsWithinItsBoundOverAllOfItsRange) {
  double worst = 0;
  for (float x = -87.59f; x <= 0; x = std::nextafter(x, 1.0f) + 1e-5f) {
    const double exact = std::exp(double{x});
    worst = std::max(worst, std::abs(podium::exponential(x) - exact) / exact);
  }
  EXPECT_LT(worst, 0x1p-22);
  EXPECT_GT(worst, 0x1p-25) << "no float is that good: the loop has compared nothing";
}

TEST(Exponential, IsExactAtZeroAndVanishesFarBelow) {
  EXPECT_EQ(podium::exponential(0.0f), 1.0f);
  EXPECT_EQ(podium::exponential(-0.0f), 1.0f);
  EXPECT_EQ(podium::exponential(-88.0f), 0.0f);
  EXPECT_EQ(podium::exponential(std::numeric_limits<float>::lowest()), 0.0f);
  EXPECT_EQ(podium::exponential(-std::numeric_limits<float>::infinity()), 0.0f);
}

}  // namespace
