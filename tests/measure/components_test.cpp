// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The spread within and between devices: by hand, and on simulated devices whose spread is known.
#include "suite/measure/components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace podium::measure {
namespace {

using Groups = std::vector<std::vector<double>>;

TEST(Components, AreThoseOfAnAnalysisOfVariance) {
  // Means 2, 5, 8; within: mean square 1; between: mean square 27; three in a group: (27 - 1) / 3.
  const Components found = components(Groups{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  EXPECT_DOUBLE_EQ(*found.within, 1);
  EXPECT_DOUBLE_EQ(*found.between, std::sqrt(26.0 / 3));
  // Sizes 1 and 3: the effective size is (4 - 10 / 4) / 1.
  const Components uneven = components(Groups{{10}, {1, 2, 3}});
  EXPECT_DOUBLE_EQ(*uneven.within, 1);
  EXPECT_DOUBLE_EQ(*uneven.between, std::sqrt((48 - 1) / 1.5));
}

TEST(Components, NoMoreIsSaidThanCanBeTold) {
  EXPECT_FALSE(components(Groups{}).within);
  EXPECT_FALSE(components(Groups{{}}).within);
  EXPECT_FALSE(components(Groups{{1}, {2}, {3}}).within) << "one round each: neither can be told";
  EXPECT_FALSE(components(Groups{{1}, {2}, {3}}).between);
  EXPECT_TRUE(components(Groups{{1, 2}}).within);
  EXPECT_FALSE(components(Groups{{1, 2}, {}}).between) << "one device";
  EXPECT_DOUBLE_EQ(*components(Groups{{1, 3}, {1, 3}}).between, 0) << "less than by chance is none";
}

TEST(Components, AreRightOnAverage) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  double within = 0, between = 0;
  constexpr int times = 2000;
  for (int i = 0; i < times; ++i) {
    Groups groups(8);
    for (std::size_t d = 0; d < groups.size(); ++d) {
      const double device = 0.02 * normal(random);
      for (std::size_t round = 0; round < 2 + d % 4; ++round)
        groups[d].push_back(device + 0.005 * normal(random));
    }
    const Components found = components(groups);
    within += *found.within * *found.within / times;
    between += *found.between * *found.between / times;
  }
  EXPECT_NEAR(std::sqrt(within), 0.005, 0.0002);
  EXPECT_NEAR(std::sqrt(between), 0.02, 0.0008);
}

}  // namespace
}  // namespace podium::measure
