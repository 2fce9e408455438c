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

// Two lies in three, or three in four, are most of the times and so the median; the others are true.
TEST(Attest, DoubtsAClockThatLiesAboutMostCalls) {
  const Overhead overhead{150, 20, 0};
  for (const int period : {2, 3, 4, 8}) {
    std::vector<double> reported, judged;
    for (int call = 0; call < 40; ++call) {
      reported.push_back(call % period == 0 ? 3000 + call : 1000 + call);
      judged.push_back(3150 + call);
    }
    const auto found = attest(reported, judged, overhead);
    if (period > 2) {
      EXPECT_FALSE(found.agrees) << "one in " << period << " is true";
      EXPECT_NEAR(found.excess, 2000, 30);
    }
  }
}

// A true time that varies is no lie: half of the calls take three times as long, and the judge sees it.
TEST(Attest, BelievesTimesThatVary) {
  const Overhead overhead{150, 20, 0};
  for (const int slow : {1, 10, 20, 30, 39}) {
    std::vector<double> reported, judged;
    for (int call = 0; call < 40; ++call) {
      reported.push_back(call < slow ? 3000 : 1000);
      judged.push_back(reported.back() + 150);
    }
    EXPECT_TRUE(attest(reported, judged, overhead).agrees) << slow << " of 40 are slow";
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

// A machine under load: wake-ups are later, and scatter.
Overhead under_load(double factor, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> wake(100, 100 + 200 * factor);
  std::vector<double> reported(25, 1.0), judged(25);
  for (double& each : judged) each = 1 + wake(random);
  return overhead(reported, judged, least_tolerance_host);
}

// What fits into the scatter of a loaded machine is found in a calm one; so the loaded one excuses nothing.
TEST(Attest, LoadThatWouldExcuseALieIsNoCalm) {
  constexpr double hidden = 900;  // microseconds
  int excused = 0;
  for (unsigned seed = 1; seed < 200; ++seed) {
    const Overhead calm = measured(), loaded = under_load(8, seed);
    const auto lying = samples(1 + hidden, 1, 8, seed);
    EXPECT_FALSE(attest(lying.reported, lying.judged, calm).agrees) << seed;
    const bool agrees = attest(lying.reported, lying.judged, loaded).agrees;
    excused += agrees;
    EXPECT_FALSE(agrees && as_calm(loaded, calm)) << seed;
  }
  EXPECT_GT(excused, 100) << "the load is none: nothing was tested";
}

TEST(Attest, CalmIsWhatScattersAsItDid) {
  const Overhead calm{.constant = 100, .tolerance = 200};
  EXPECT_TRUE(as_calm(calm, calm));
  EXPECT_TRUE(as_calm({.constant = 50, .tolerance = 20}, calm));
  EXPECT_TRUE(as_calm({.constant = 300, .tolerance = 400}, calm));
  EXPECT_FALSE(as_calm({.constant = 301, .tolerance = 200}, calm)) << "later by more than the tolerance";
  EXPECT_FALSE(as_calm({.constant = 100, .tolerance = 401}, calm));
  for (unsigned seed = 1; seed < 50; ++seed) EXPECT_TRUE(as_calm(under_load(1, seed), measured())) << seed;
}

TEST(Attest, TheCalmerHasTheSmallerTolerance) {
  const Overhead small{.constant = 9, .tolerance = 1}, large{.constant = 1, .tolerance = 2};
  const Overhead late{.constant = 10, .tolerance = 1};
  EXPECT_EQ(calmer(small, large).constant, 9);
  EXPECT_EQ(calmer(large, small).constant, 9);
  EXPECT_EQ(calmer(late, small).constant, 9) << "of the same tolerance the earlier";
  EXPECT_EQ(calmer(small, late).constant, 9);
}

TEST(Attest, ACallThatWaitsIsAccusedOfMoreThanScatter) {
  const Attestation little{.agrees = false, .excess = 37.1, .tolerance = 20.7};
  EXPECT_TRUE(certain(little, false));
  EXPECT_FALSE(certain(little, true));
  const Attestation much{.agrees = false, .excess = 62.2, .tolerance = 20.7};
  EXPECT_TRUE(certain(much, true));
  EXPECT_FALSE(certain({.agrees = true, .excess = 20.6, .tolerance = 20.7}, false));
}

TEST(Together, TakesAsManyCallsAsMakeUpTenTolerances) {
  const Overhead gpu{.constant = 150, .tolerance = 20};
  const Calls one{1, 1};
  EXPECT_EQ(calls_together(200, gpu, 12), one);
  EXPECT_EQ(calls_together(1000, gpu, 12), one);
  EXPECT_EQ(calls_together(199, gpu, 12), (Calls{2, 4}));
  EXPECT_EQ(calls_together(50, gpu, 12), (Calls{4, 8}));
  EXPECT_EQ(calls_together(49, gpu, 12), (Calls{5, 10}));
  EXPECT_EQ(calls_together(25, gpu, 12), (Calls{8, 12}));
  EXPECT_EQ(calls_together(2, gpu, 1), one) << "the arena has room for one";
}

TEST(Together, NobodyKnowsTheirNumberHoweverShortTheyAre) {
  const Overhead gpu{.constant = 150, .tolerance = 20};
  for (const double microseconds : {0.0, 2.0, 20.0}) {
    EXPECT_EQ(calls_together(microseconds, gpu, 12), (Calls{8, 12}));
    EXPECT_EQ(calls_together(microseconds, gpu, 6), (Calls{4, 6}));
    for (int room = 2; room <= 12; ++room) {
      const Calls range = calls_together(microseconds, gpu, room);
      EXPECT_GE(range.least, 1) << room;
      EXPECT_LT(range.least, range.most) << room;
      EXPECT_LE(range.most, room);
      EXPECT_GE(range.most, room - 1);
    }
  }
}

// The judge's intervals of `calls` calls of `call` µs each, through the wake-ups of samples() above.
std::vector<double> intervals(double call, int calls, int count, unsigned seed) {
  return samples(call * calls, 0, count, seed).judged;
}

TEST(Together, SeesWhatOneCallHides) {
  const Overhead host = measured();
  constexpr double call = 400,
                   reported = 250;  // 150 µs hidden: less than the 200 that one call may differ by
  const int calls = calls_together(reported, host, 12).least;
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
      const int calls = calls_together(call, host, 12).least;
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

// A GPU's: 150 µs beside the calls, four of which bear out what is 5 µs and 3 % below each of them.
constexpr Overhead calm{.constant = 150, .tolerance = 20};
constexpr int four = 4;
double interval(double each) { return calm.constant + four * each; }

TEST(Looks, NothingIsBorneOutBefore) {
  Looks looks;
  EXPECT_FALSE(looks.confirms(50, calm));
  looks.see(interval(50), four);
  EXPECT_TRUE(looks.confirms(50, calm));
  looks.forget();
  EXPECT_FALSE(looks.confirms(50, calm));
}

TEST(Looks, OneBearsOutAllThatIsNoLess) {
  Looks looks;
  looks.see(interval(52), four);
  for (const double later : {50.0, 60.0, 1000.0, 46.0}) EXPECT_TRUE(looks.confirms(later, calm)) << later;
  for (const double later : {44.0, 20.0, 0.0}) EXPECT_FALSE(looks.confirms(later, calm)) << later;
}

// Several calls cannot be done sooner than they can be: of all looks the best counts, not the last.
TEST(Looks, AnyThatWasQuickEnoughBearsOut) {
  Looks looks;
  looks.see(interval(88), four);
  EXPECT_FALSE(looks.confirms(48, calm));
  looks.see(interval(50), four);
  looks.see(interval(500), four);
  looks.see(calm.constant + 8 * 70, 8);
  EXPECT_TRUE(looks.confirms(48, calm));
}

// A machine that is busy bears out more; in a calmer moment that is held against the lesser tolerance.
TEST(Looks, WhatOnlyABusyMomentBoreOutIsLookedAtAgain) {
  Looks looks;
  looks.see(interval(90), four);
  EXPECT_TRUE(looks.confirms(30, {.constant = 150, .tolerance = 300}));
  EXPECT_FALSE(looks.confirms(30, calm));
}

// Rounds of an honest contestant through wake-ups that scatter, and of one that hides a part.
TEST(Looks, ThroughScatterTheHonestPassAndNobodyElse) {
  const Overhead host = measured();
  constexpr double call = 300, hides = 150;
  for (unsigned seed = 2; seed < 200; ++seed) {
    Looks looks;
    for (const double judged : intervals(call, four, 5, seed)) looks.see(judged, four);
    EXPECT_TRUE(looks.confirms(call, host)) << seed;
    EXPECT_FALSE(looks.confirms(call - hides, host)) << seed;
  }
}

TEST(Overhead, KnowsWhatAnEmptyCallTakes) {
  const std::vector<double> reported{1.3, 1.2, 9, 1.3, 1.3}, judged{152, 151, 160, 150, 153};
  EXPECT_DOUBLE_EQ(overhead(reported, judged, least_tolerance_gpu).reported, 1.3);
  EXPECT_DOUBLE_EQ(overhead({}, {}, least_tolerance_gpu).reported, 0);
}

}  // namespace
}  // namespace podium::measure
