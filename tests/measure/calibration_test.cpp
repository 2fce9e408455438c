// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rates, clocks and ticks against numbers worked out by hand.
#include "suite/measure/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace podium::measure {
namespace {

TEST(Calibration, ARateIsWorkOverTheMedianTime) {
  // 4 GB in 1000 µs are 4 TB/s. Of eleven times the interval of the median is the second to the tenth.
  const std::vector<double> times{1000, 800, 900, 2000, 1000, 1100, 1250, 990, 1010, 1600, 500};
  const Figure figure = rate(4e9, times);
  EXPECT_DOUBLE_EQ(figure.value, 4e12);
  EXPECT_DOUBLE_EQ(figure.low, 4e9 / 1600e-6);
  EXPECT_DOUBLE_EQ(figure.high, 4e9 / 800e-6);
}

TEST(Calibration, MultiplyAddsOfAnH200) {
  // 132 multiprocessors, 128 lanes, two operations, 1.98 GHz: 66.9 TFLOP/s, if 1 ms holds 1.98e6 cycles.
  const double operations = 132 * 128 * 2 * 1.98e6;
  EXPECT_NEAR(rate(operations, std::vector<double>{1000.}).value, 66.9e12, 0.05e12);
}

TEST(Calibration, SecondsAreTheMedianAndItsInterval) {
  const Figure figure = seconds(std::vector<double>{3, 1, 2});
  EXPECT_DOUBLE_EQ(figure.value, 2e-6);
  EXPECT_DOUBLE_EQ(figure.low, 1e-6);
  EXPECT_DOUBLE_EQ(figure.high, 3e-6);
  EXPECT_DOUBLE_EQ(seconds(std::vector<double>{0, 0, 0}).value, 0);
}

TEST(Calibration, AFallingClockShows) {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) times.push_back(i < 40 ? 100. : 115.);
  times[0] = 102;
  times[150] = 400;  // one disturbance moves neither
  const Clock clock = clock_under_load(times);
  EXPECT_DOUBLE_EQ(clock.first, 1.02);
  EXPECT_DOUBLE_EQ(clock.settled, 1.15);
}

TEST(Calibration, AClockThatRisesFromIdleShowsInTheFirst) {
  const Clock clock = clock_under_load(std::vector<double>{300, 150, 100, 100, 100, 100, 100, 100});
  EXPECT_DOUBLE_EQ(clock.first, 3);
  EXPECT_DOUBLE_EQ(clock.settled, 1);
  EXPECT_DOUBLE_EQ(clock_under_load(std::vector<double>{7.}).settled, 1);
}

TEST(Calibration, TheSmallestStepIsTheTick) {
  EXPECT_NEAR(resolution(std::vector<double>{5.120, 4.096, 4.128, 9.000, 4.096}), 0.032, 1e-9);
  // What is left of a tick by rounding to a float is none.
  EXPECT_NEAR(resolution(std::vector<double>{4.096, 4.0960001, 4.0959999, 5.120}), 1.024, 1e-6);
  EXPECT_EQ(resolution(std::vector<double>{2, 2, 2}), 0);
  EXPECT_EQ(resolution(std::vector<double>{2}), 0);
}

TEST(Calibration, WhatIsNoTimeIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> bad{{}, {1, 0, 2}, {1, -1}, {1, nan}, {INFINITY}};
  for (const auto& times : bad) {
    EXPECT_THROW(rate(1, times), std::invalid_argument);
    EXPECT_THROW(clock_under_load(times), std::invalid_argument);
  }
  for (const double work : {0., -1., nan, double(INFINITY)})
    EXPECT_THROW(rate(work, std::vector<double>{1}), std::invalid_argument);
  for (const auto& times : {bad[0], bad[2], bad[3]}) {
    EXPECT_THROW(seconds(times), std::invalid_argument);
    EXPECT_THROW(resolution(times), std::invalid_argument);
  }
}

}  // namespace
}  // namespace podium::measure
