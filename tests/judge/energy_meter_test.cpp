// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Power from counters of energy that are simulated: such as move in steps, lag, begin anew, or do not tell.
#include "suite/judge/meters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace podium::judge {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Looks at a counter every `every` seconds, `seconds` long.
double watts(const std::function<double(double)>& joules, double seconds, double every,
             double settled = 0.2) {
  EnergyMeter meter(settled);
  for (int look = 1; look * every < seconds; ++look) meter.look(look * every, joules(look * every));
  return meter.watts();
}

// A counter of a device that uses `power` watts, which tells of the time until its last step.
std::function<double(double)> stepping(double power, double step, double phase) {
  return [=](double time) { return 1e6 + power * (std::floor((time + phase) / step) * step - phase); };
}

// Wherever the steps happen to lie; the first and last look alone would be wrong by up to a step.
TEST(EnergyMeter, MeasuresBetweenSteps) {
  for (const double step : {0.001, 0.02, 0.1})
    for (const double share : {0.0, 0.3, 0.6, 0.9})
      EXPECT_NEAR(watts(stepping(432.1, step, share * step), 1.2, 0.002), 432.1, 0.01 * 432.1)
          << step << " " << share;
}

TEST(EnergyMeter, LeavesOutWhatWasBefore) {
  // 100 W until 0.15 s, told 50 ms late.
  const auto lagging = [](double time) {
    const double until = std::floor((time - 0.05) / 0.02) * 0.02;
    return until < 0.15 ? 100 * until : 100 * 0.15 + 500 * (until - 0.15);
  };
  EXPECT_NEAR(watts(lagging, 1.2, 0.002), 500, 5);
  EXPECT_LT(watts(lagging, 1.2, 0.002, 0), 460) << "had it counted them";
}

TEST(EnergyMeter, TellsNothingFromTooFewSteps) {
  EXPECT_TRUE(std::isnan(watts(stepping(300, 0.25, 0), 1.2, 0.002)));
  EXPECT_FALSE(std::isnan(watts(stepping(300, 0.25, 0), 3, 0.002)));
  EXPECT_TRUE(std::isnan(watts([](double) { return 5.0; }, 3, 0.002))) << "a counter that stands still";
  EXPECT_TRUE(std::isnan(watts([](double) { return unknown; }, 3, 0.002)));
  EXPECT_TRUE(std::isnan(EnergyMeter(0).watts()));
}

TEST(EnergyMeter, PassesOverLooksThatFailed) {
  const auto counter = stepping(250, 0.02, 0);
  const auto failing = [&](double time) { return std::fmod(time, 0.1) < 0.02 ? unknown : counter(time); };
  EXPECT_NEAR(watts(failing, 1.2, 0.002), 250, 5);
}

TEST(EnergyMeter, BeginsAnewWithItsCounter) {
  const auto counter = stepping(250, 0.02, 0);
  const auto reset = [&](double time) { return counter(time) - (time > 0.5 ? 1e6 : 0); };
  EXPECT_NEAR(watts(reset, 1.2, 0.002), 250, 2.5);
}

}  // namespace
}  // namespace podium::judge
