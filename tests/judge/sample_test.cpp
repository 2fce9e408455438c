// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sampled indices: distinct, ascending, from the seed, with what must be in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "suite/judge/draws.hpp"

namespace podium::judge {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(Sample, DistinctAscendingAndInRange) {
  for (const std::int64_t extent : {1, 2, 63, 64, 65, 100, 1 << 20}) {
    const auto sample = draw_sample(extent, 64, 5, 0, {});
    EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
    EXPECT_EQ(std::set<std::int64_t>(sample.begin(), sample.end()).size(), sample.size());
    EXPECT_GE(sample.size(), static_cast<std::size_t>(std::min<std::int64_t>(64, extent)));
    EXPECT_LE(sample.size(), 66u);
    EXPECT_EQ(sample.front(), 0);
    EXPECT_EQ(sample.back(), extent - 1);
  }
  EXPECT_TRUE(draw_sample(0, 64, 5, 0, {}).empty());
  EXPECT_THAT(draw_sample(3, 64, 5, 0, {}), ElementsAre(0, 1, 2));
}

TEST(Sample, HoldsWhatIsWanted) {
  const auto sample = draw_sample(1 << 20, 4, 5, 0, {77, 123456, 77});
  EXPECT_THAT(sample, Contains(77));
  EXPECT_THAT(sample, Contains(123456));
}

TEST(Sample, FollowsTheSeedAndTheSet) {
  EXPECT_EQ(draw_sample(1 << 20, 64, 5, 0, {}), draw_sample(1 << 20, 64, 5, 0, {}));
  EXPECT_NE(draw_sample(1 << 20, 64, 5, 0, {}), draw_sample(1 << 20, 64, 6, 0, {}));
  EXPECT_NE(draw_sample(1 << 20, 64, 5, 0, {}), draw_sample(1 << 20, 64, 5, 1, {}));
}

TEST(Sample, EveryIndexIsAsLikelyAsAnyOther) {
  std::vector<int> drawn(50);
  constexpr int times = 20000;
  for (std::uint64_t seed = 0; seed < times; ++seed)
    for (const std::int64_t index : draw_sample(50, 5, seed, 0, {})) ++drawn[static_cast<std::size_t>(index)];
  for (std::size_t k = 1; k + 1 < drawn.size(); ++k)
    EXPECT_NEAR(drawn[k], times * 0.1, 6 * std::sqrt(times * 0.09)) << k;
}

}  // namespace
}  // namespace podium::judge
