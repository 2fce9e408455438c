// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The median, its interval against published tables and simulated data, and the stop rule.
#include "suite/measure/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace podium::measure {
namespace {

std::vector<double> ramp(int count) {  // 1, 2, ... count: an order statistic's value is its rank
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST(Median, OfOddAndEvenCounts) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}).value, 2);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 3.0, 2.0}).value, 2.5);
}

TEST(Median, OfOneSampleIsThatSample) {
  const Median one = median(std::vector{7.0});
  EXPECT_EQ(one.value, 7);
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.high, 7);
}

// Ranks of the order statistics as tabulated for the 95 % sign-test interval; numpy.statistics has all counts
// up to 300 from SciPy.
TEST(Median, IntervalAgreesWithTheTables) {
  const struct {
    int count, low, high;
  } table[] = {{6, 1, 6},    {7, 1, 7},    {8, 1, 8},    {9, 2, 8},    {10, 2, 9},  {11, 2, 10},
               {12, 3, 10},  {15, 4, 12},  {17, 5, 13},  {20, 6, 15},  {25, 8, 18}, {30, 10, 21},
               {40, 14, 27}, {50, 18, 33}, {70, 27, 44}, {100, 40, 61}};
  for (const auto& [count, low, high] : table) {
    const Median got = median(ramp(count));
    EXPECT_EQ(got.low, low) << count;
    EXPECT_EQ(got.high, high) << count;
  }
}

TEST(Median, TooFewSamplesGiveTheWholeRange) {
  for (int count = 1; count <= 5; ++count) {  // 1 - 2 / 2^5 = 0.9375 < 0.95
    const Median got = median(ramp(count));
    EXPECT_EQ(got.low, 1);
    EXPECT_EQ(got.high, count);
  }
}

TEST(Median, ConfidenceMovesTheInterval) {
  EXPECT_EQ(median(ramp(10), 0.99).low, 1);  // 1 - 2 / 2^10
  EXPECT_EQ(median(ramp(10), 0.85).low, 3);  // 1 - 2 * 56 / 2^10 = 0.891
  EXPECT_EQ(median(ramp(8), 1e-9).low, 4);   // never past the middle
  EXPECT_EQ(median(ramp(9), 1e-9).low, 4);
}

TEST(Median, RefusesWhatHasNoMedian) {
  EXPECT_THROW(median(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(median(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  EXPECT_THROW(median(std::vector{1.0, std::numeric_limits<double>::infinity()}), std::invalid_argument);
  EXPECT_THROW(median(ramp(3), 0), std::invalid_argument);
  EXPECT_THROW(median(ramp(3), 1), std::invalid_argument);
}

// Share of 4000 simulated entries whose interval covers the true median.
double coverage(int count, double truth, const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(count);
  int covered = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(count);
    for (double& sample : samples) sample = draw(random);
    const Median got = median(samples);
    covered += got.low <= truth && truth <= got.high;
    EXPECT_LE(got.low, got.value);
    EXPECT_LE(got.value, got.high);
  }
  return static_cast<double>(covered) / trials;
}

TEST(Median, IntervalCoversHeavyTailedTimes) {
  auto cauchy = [](std::mt19937_64& random) { return std::cauchy_distribution<double>(100, 3)(random); };
  // Binomial, exactly: 9 samples 0.961, 20 samples 0.959, 50 samples 0.967; +- 4 standard errors.
  EXPECT_NEAR(coverage(9, 100, cauchy), 0.961, 0.0125);
  EXPECT_NEAR(coverage(20, 100, cauchy), 0.959, 0.0125);
  EXPECT_NEAR(coverage(50, 100, cauchy), 0.967, 0.0115);
}

TEST(Median, IntervalOfSkewedTimesHasTheSameCoverage) {
  auto skewed = [](std::mt19937_64& random) {
    return 50 + std::lognormal_distribution<double>(0, 2)(random);
  };
  EXPECT_NEAR(coverage(20, 51, skewed), 0.959, 0.0125);
}

TEST(Median, QuantisedTimesAreCoveredAtLeastAsOften) {  // event timers tick in 32 ns
  auto ticks = [](std::mt19937_64& random) {
    return 0.032 * std::round(std::normal_distribution<double>(200, 0.7)(random));
  };
  EXPECT_GE(coverage(20, 0.032 * 200, ticks), 0.959 - 0.0125);
}

// Two clock states, 8 % apart; or a timer that says nothing three times in ten. The median lies where the
// more frequent mode has its 5/7 quantile, or its 2/7 quantile: 0.566 standard deviations from its middle.
TEST(Median, BimodalTimesAndZeros) {
  constexpr double quantile = 0.5659;
  const auto either = [](double rare) {
    return [rare](std::mt19937_64& random) {
      return std::bernoulli_distribution(0.3)(random) ? rare
                                                      : std::normal_distribution<double>(100, 0.1)(random);
    };
  };
  EXPECT_NEAR(coverage(20, 100 + 0.1 * quantile, either(108)), 0.959, 0.0125);
  EXPECT_NEAR(coverage(20, 100 - 0.1 * quantile, either(0)), 0.959, 0.0125);
}

TEST(Median, ConstantTimesHaveAnIntervalOfNoWidth) {
  const Median got = median(std::vector<double>(20, 3.7));
  EXPECT_EQ(got.low, 3.7);
  EXPECT_EQ(got.high, 3.7);
}

TEST(Stop, NeverBeforeTheLeast) {
  const Stopping rule{.least = 5, .most = 5, .relative = 1, .budget = 0.2};
  EXPECT_EQ(stop({}, 1e9, rule), Reason::more);
  EXPECT_EQ(stop(std::vector<double>(4, 1.0), 1e9, rule), Reason::more);
  EXPECT_NE(stop(std::vector<double>(5, 1.0), 1e9, rule), Reason::more);
}

TEST(Stop, WhenTheIntervalIsNarrow) {
  const Stopping rule{.least = 5, .most = 50, .relative = 0.01, .budget = 10};
  EXPECT_EQ(stop(std::vector{100.0, 100.2, 100.4, 100.6, 100.8}, 0, rule), Reason::narrow);
  EXPECT_EQ(stop(std::vector{100.0, 100.2, 100.4, 100.6, 101.8}, 0, rule), Reason::more);
  // Nine samples: the two outliers no longer count.
  EXPECT_EQ(stop(std::vector{10.0, 100.0, 100.0, 100.1, 100.1, 100.1, 100.2, 100.2, 900.0}, 0, rule),
            Reason::narrow);
}

TEST(Stop, WhenMostOrBudgetIsReached) {
  std::vector<double> wild;
  for (int i = 0; i < 50; ++i) wild.push_back(i % 2 ? 100 : 200);
  const Stopping rule{.least = 5, .most = 50, .relative = 0.01, .budget = 0.2};
  EXPECT_EQ(stop(wild, 0.1, rule), Reason::most);
  wild.pop_back();
  EXPECT_EQ(stop(wild, 0.1, rule), Reason::more);
  EXPECT_EQ(stop(wild, 0.2, rule), Reason::budget);
}

// After so many calls of equal length; the judge's own work takes whatever it takes.
int samples_of(double microseconds, const Stopping& rule, Reason expected) {
  std::vector<double> samples;
  for (;;) {
    const Reason reason = stop(samples, 1e9, rule);
    if (reason != Reason::more) {
      EXPECT_EQ(reason, expected) << microseconds;
      return static_cast<int>(samples.size());
    }
    samples.push_back(microseconds);
    if (samples.size() > 1000) return -1;
  }
}

TEST(Stop, LongCallsEndWithTheBudget) {
  const Stopping rule{.least = 5, .most = 50, .relative = 0.01, .budget = 0.2};
  EXPECT_EQ(samples_of(5e6, rule, Reason::long_calls), 1);
  EXPECT_EQ(samples_of(200e3, rule, Reason::long_calls), 1);
  EXPECT_EQ(samples_of(199e3, rule, Reason::long_calls), 2);
  EXPECT_EQ(samples_of(100e3, rule, Reason::long_calls), 2);
  EXPECT_EQ(samples_of(99e3, rule, Reason::long_calls), 3);
  EXPECT_EQ(samples_of(50e3, rule, Reason::long_calls), 4);
  EXPECT_EQ(samples_of(49e3, rule, Reason::narrow), 5);
  EXPECT_EQ(samples_of(10, rule, Reason::narrow), 5);
  // Two calls of which one is far longer: their sum counts.
  EXPECT_EQ(stop(std::vector{100.0, 200e3}, 1, rule), Reason::long_calls);
  EXPECT_EQ(stop(std::vector{100.0, 199e3}, 1, rule), Reason::more);
  // Where one sample is all that is wanted, one is taken.
  EXPECT_EQ(samples_of(10, {.least = 1, .most = 1}, Reason::narrow), 1);
}

}  // namespace
}  // namespace podium::measure
