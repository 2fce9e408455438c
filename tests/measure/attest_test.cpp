// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's clock against the worker's word: honest noise passes, hidden time does not.
#include "suite/measure/attest.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace podium::measure {
namespace {

// Samples of a call of `call` µs, of which a worker reports `reported`, seen through wake-ups of 100 to 300
// µs with now and then a very late one.
struct Samples {
  std::vector<double> reported, judged;
};
Samples samples(double call, double reported, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> wake(100, 300), chance(0, 1);
  Samples s;
  for (int i = 0; i < count; ++i) {
    s.reported.push_back(reported);
    s.judged.push_back(call + wake(random) + (chance(random) < 0.05 ? 5000 : 0));
  }
  return s;
}
Overhead measured() {
  const auto empty = samples(1, 1, 25, 1);
  return overhead(empty.reported, empty.judged, least_tolerance_host);
}

TEST(Attest, BelievesAnHonestClock) {
  for (unsigned seed = 2; seed < 200; ++seed) {
    const auto honest = samples(1000, 1000, 8, seed);
    EXPECT_TRUE(attest(honest.reported, honest.judged, measured()).agrees) << seed;
  }
}

TEST(Attest, DoubtsAClockThatHidesMostOfALongCall) {
  for (unsigned seed = 2; seed < 200; ++seed) {
    const auto lying = samples(3000, 1, 8, seed);
    const auto result = attest(lying.reported, lying.judged, measured());
    EXPECT_FALSE(result.agrees) << seed;
    EXPECT_GT(result.excess, 2500);
  }
}

TEST(Attest, NeverDoubtsAWorkerThatReportsTooMuch) {
  const auto modest = samples(1000, 4000, 8, 5);
  EXPECT_TRUE(attest(modest.reported, modest.judged, measured()).agrees);
}

TEST(Attest, HasNothingToSayOfNoSamples) {
  EXPECT_TRUE(attest({}, {}, measured()).agrees);
  EXPECT_GT(overhead({}, {}, least_tolerance_gpu).tolerance, 0);
}

}  // namespace
}  // namespace podium::measure
