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

TEST(Together, TakesAsManyCallsAsMakeUpTenTolerances) {
  const Overhead gpu{.constant = 150, .tolerance = 20};
  EXPECT_EQ(calls_together(200, gpu, 8), 1);
  EXPECT_EQ(calls_together(1000, gpu, 8), 1);
  EXPECT_EQ(calls_together(199, gpu, 8), 2);
  EXPECT_EQ(calls_together(50, gpu, 8), 4);
  EXPECT_EQ(calls_together(49, gpu, 8), 5);
  EXPECT_EQ(calls_together(25, gpu, 8), 8);
  EXPECT_EQ(calls_together(2, gpu, 8), 8);
  EXPECT_EQ(calls_together(0, gpu, 8), 8);
  EXPECT_EQ(calls_together(2, gpu, 1), 1) << "the arena has room for one";
}

// The judge's intervals of `calls` calls of `call` µs each, through the wake-ups of samples() above.
std::vector<double> intervals(double call, int calls, int count, unsigned seed) {
  return samples(call * calls, 0, count, seed).judged;
}

TEST(Together, SeesWhatOneCallHides) {
  const Overhead host = measured();
  constexpr double call = 400,
                   reported = 250;  // 150 µs hidden: less than the 200 that one call may differ by
  const int calls = calls_together(reported, host, 8);
  EXPECT_EQ(calls, 8);
  for (unsigned seed = 2; seed < 200; ++seed) {
    const auto one = samples(call, reported, 8, seed);
    const Attestation alone = attest(one.reported, one.judged, host);
    EXPECT_TRUE(alone.agrees) << "or there is nothing to show";
    const auto found = attest_together(reported, intervals(call, calls, 5, seed), calls, host);
    EXPECT_FALSE(found.agrees) << seed;
    EXPECT_NEAR(found.excess, call - reported, 200.0 / calls) << seed;
    EXPECT_NEAR(found.tolerance, host.tolerance / calls + 0.03 * reported, 1e-9);
  }
}

TEST(Together, BelievesTheHonestAndThoseWhoAreQuickerTogether) {
  const Overhead host = measured();
  for (unsigned seed = 2; seed < 200; ++seed)
    for (const double call : {10.0, 250.0, 900.0}) {
      const int calls = calls_together(call, host, 8);
      EXPECT_TRUE(attest_together(call, intervals(call, calls, 5, seed), calls, host).agrees) << seed;
      EXPECT_TRUE(attest_together(call, intervals(call / 2, calls, 5, seed), calls, host).agrees) << seed;
    }
}

TEST(Together, OneIntervalThatIsShortEnoughSuffices) {
  const Overhead gpu{.constant = 150, .tolerance = 20};
  const std::vector<double> judged{5000, 150 + 8 * 10, 700};
  EXPECT_TRUE(attest_together(10, judged, 8, gpu).agrees);
  EXPECT_FALSE(attest_together(10, std::vector<double>{5000, 700}, 8, gpu).agrees);
  EXPECT_TRUE(attest_together(10, {}, 0, gpu).agrees);
}

TEST(Overhead, KnowsWhatAnEmptyCallTakes) {
  const std::vector<double> reported{1.3, 1.2, 9, 1.3, 1.3}, judged{152, 151, 160, 150, 153};
  EXPECT_DOUBLE_EQ(overhead(reported, judged, least_tolerance_gpu).reported, 1.3);
  EXPECT_DOUBLE_EQ(overhead({}, {}, least_tolerance_gpu).reported, 0);
}

}  // namespace
}  // namespace podium::measure
