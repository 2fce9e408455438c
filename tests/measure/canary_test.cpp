// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Canaries of simulated devices: quiet ones, disturbed ones, and one whose clock changes for good.
#include "suite/measure/disturbance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace podium::measure {
namespace {

TEST(Canary, NothingIsDisturbedBeforeEnoughIsKnown) {
  Canaries canaries(0.1);
  for (std::size_t i = 0; i < Canaries::enough; ++i) {
    EXPECT_FALSE(canaries.disturbed(1e9)) << i;
    canaries.add(20);
  }
  EXPECT_TRUE(canaries.disturbed(1e9));
}

TEST(Canary, TheSlackIsOfTheMedian) {
  Canaries canaries(0.1);
  for (const double time : {30.0, 10.0, 20.0, 25.0, 15.0}) canaries.add(time);  // median 20, in any order
  EXPECT_FALSE(canaries.disturbed(21.9));
  EXPECT_FALSE(canaries.disturbed(5));  // faster is no disturbance
  EXPECT_TRUE(canaries.disturbed(22.1));
  canaries.add(100);  // of an even number the middle of the two: 22.5
  EXPECT_FALSE(canaries.disturbed(24.7));
  EXPECT_TRUE(canaries.disturbed(24.8));
}

TEST(Canary, SlacksAreOfTheBackend) {
  EXPECT_EQ(canary_slack(false), canary_slack_host);
  EXPECT_EQ(canary_slack(true), canary_slack_gpu);
}

// A normal scatter of 2 % and every tenth entry disturbed by half: those and no others are found.
TEST(Canary, FindsWhatIsDisturbedAndNothingElse) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> scatter(1, 0.02);
  Canaries canaries(canary_slack_gpu);
  int missed = 0, invented = 0;
  for (int entry = 0; entry < 1000; ++entry) {
    const bool slow = entry % 10 == 9;
    const double time = 20 * scatter(random) * (slow ? 1.5 : 1);
    const bool found = canaries.disturbed(time);
    missed += slow && !found;
    invented += !slow && found;
    canaries.add(time);
  }
  EXPECT_EQ(missed, 0);
  EXPECT_LE(invented, 2);  // five standard deviations; the median moves by the disturbed ones
}

// A clock that falls by 15 % for good is the usual state once most canaries have seen it, and no disturbance.
TEST(Canary, AChangeForGoodIsSoonTheUsual) {
  Canaries canaries(canary_slack_gpu);
  for (int i = 0; i < 50; ++i) canaries.add(20);
  EXPECT_TRUE(canaries.disturbed(23));
  for (int i = 0; i < 51; ++i) canaries.add(23);
  EXPECT_FALSE(canaries.disturbed(23));
}

TEST(Canary, CountsThoseOfABoard) {
  std::vector<double> times(20, 20.0);
  times[3] = 23;
  times[17] = 21;
  const Disturbance found = disturbance(times, canary_slack_gpu);
  EXPECT_EQ(found.entries, 20);
  EXPECT_EQ(found.disturbed, 1);
  EXPECT_EQ(disturbance({}, canary_slack_gpu).entries, 0);
}

TEST(Canary, WhatIsNotFiniteIsRefused) {
  Canaries canaries(0.1);
  EXPECT_THROW(canaries.add(std::nan("")), std::invalid_argument);
  EXPECT_THROW(canaries.add(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace podium::measure
