// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which samples count under a clock that falls: rules by hand, and entries on simulated devices.
#include "suite/measure/disturbance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::measure {
namespace {

TEST(SampleClock, TheSlowerOfWhatIsKnown) {
  EXPECT_EQ(sample_clock(1980, 1410), 1410);
  EXPECT_EQ(sample_clock(1410, 1980), 1410);
  EXPECT_EQ(sample_clock(0, 1980), 1980);
  EXPECT_EQ(sample_clock(1980, 0), 1980);
  EXPECT_EQ(sample_clock(0, 0), 0);
}

TEST(ReferenceClock, WhatIsHeldNotWhatWasReachedOnce) {
  EXPECT_EQ(reference_clock(std::vector<double>{}), 0);
  EXPECT_EQ(reference_clock(std::vector<double>{0, 0}), 0);
  EXPECT_EQ(reference_clock(std::vector<double>{1700}), 1700);
  EXPECT_EQ(reference_clock(std::vector<double>{1700, 0, 1500}), 1600);
  EXPECT_EQ(reference_clock(std::vector<double>{0, 1700, 3900, 1700, 600, 1700, 0, 0}), 1700);
}

TEST(Throttle, ThreeQuartersOfTheReferenceCount) {
  Throttle throttle(2000);
  EXPECT_TRUE(throttle.admits(2000));
  EXPECT_TRUE(throttle.admits(1500));
  EXPECT_FALSE(throttle.admits(1499));
  EXPECT_TRUE(throttle.admits(2600)) << "faster than the reference is well";
  EXPECT_EQ(throttle.discarded(), 1);
  EXPECT_EQ(throttle.slow(), 0);
}

// An entry as podium takes it: every sample moves the device's time on, and a discarded one lets it rest.
// `clock`: MHz at a time in seconds, of the device's work and of its rests.
struct Taken {
  std::vector<double> microseconds;
  int discarded, slow;
  double rested;  // seconds
  Reason reason;
};
Taken entry(double reference, const std::function<double(double worked, double rested)>& clock) {
  constexpr Stopping rule{.least = 5, .most = 50, .relative = 0.01, .budget = 0.2};
  constexpr double cycles = 198'000;  // of a call
  constexpr double others = 0.004;    // seconds: the judge's part of a sample
  Throttle throttle(reference);
  Taken taken{{}, 0, 0, 0, Reason::more};
  double worked = 0;
  while (taken.reason == Reason::more) {
    const double megahertz = clock(worked, taken.rested), microseconds = cycles / megahertz;
    worked += others + microseconds * 1e-6;
    if (!throttle.admits(reference > 0 ? megahertz : 0)) {
      taken.rested += throttle.rest();
      continue;
    }
    taken.microseconds.push_back(microseconds);
    taken.reason = stop(taken.microseconds, worked, rule);
  }
  taken.discarded = throttle.discarded();
  taken.slow = throttle.slow();
  return taken;
}

// What the judge is told to stop at is what does not count.
TEST(Throttle, TheLeastClockIsTheOneThatCounts) {
  Throttle throttle(1000);
  for (int discarded = 0; discarded < ThrottleRule{}.in_a_row; ++discarded) {
    EXPECT_EQ(throttle.least_clock(), 750);
    EXPECT_FALSE(throttle.admits(std::nextafter(750.0, 0)));
  }
  EXPECT_TRUE(throttle.admits(700)) << "given up";
  EXPECT_EQ(throttle.least_clock(), 0);
  EXPECT_EQ(Throttle(0).least_clock(), 0);
}

TEST(Throttle, AClockThatIsHeldCostsNothing) {
  const Taken taken = entry(1980, [](double, double) { return 1980.0; });
  EXPECT_EQ(taken.discarded, 0);
  EXPECT_EQ(taken.rested, 0);
  EXPECT_EQ(taken.reason, Reason::narrow);
}

TEST(Throttle, AClockThatFallsOnceLeavesNoTrace) {
  // From the third sample on it is low, until the device has rested for 0.08 s.
  const auto falls = [](double worked, double rested) {
    return worked > 0.01 && rested < 0.08 ? 990.0 : 1980.0;
  };
  const Taken taken = entry(1980, falls);
  EXPECT_EQ(taken.discarded, 2);
  EXPECT_EQ(taken.slow, 0);
  EXPECT_EQ(std::ranges::max(taken.microseconds), 100);
  const Taken blind = entry(0, falls);
  EXPECT_GT(std::ranges::max(blind.microseconds), 199) << "nobody looks at a clock that is not known";
}

TEST(Throttle, AClockThatIsNeverHeldStillTimes) {
  const Taken taken = entry(1980, [](double, double) { return 990.0; });
  EXPECT_EQ(taken.discarded, 3);
  EXPECT_NEAR(taken.rested, 0.15, 1e-12);
  EXPECT_EQ(taken.slow, int(taken.microseconds.size()));
  EXPECT_GE(taken.microseconds.size(), 5u);
  EXPECT_EQ(taken.microseconds.front(), 200);
}

TEST(Throttle, AClockThatFallsAgainAndAgainEndsAtABound) {
  Throttle throttle(1980);  // every other sample is low, whether it rests or not
  int counted = 0;
  for (int i = 0; i < 100; ++i) counted += throttle.admits(i % 2 ? 1980 : 990);
  EXPECT_EQ(throttle.discarded(), 10);
  EXPECT_EQ(throttle.slow(), 40);
  EXPECT_EQ(counted, 90);
}

TEST(Throttle, AClockThatIsNotKnownDiscardsNothing) {
  Throttle throttle(1980);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(throttle.admits(0));
  Throttle blind(0);
  for (const double clock : {0.0, 1.0, 1980.0}) EXPECT_TRUE(blind.admits(clock));
  EXPECT_EQ(throttle.discarded() + throttle.slow() + blind.discarded() + blind.slow(), 0);
}

}  // namespace
}  // namespace podium::measure
