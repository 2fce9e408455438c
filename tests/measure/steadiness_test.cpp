// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kendall's tau, serial correlation and trend: against published values, all orders, and made-up samples.
#include "suite/measure/steadiness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace podium::measure {
namespace {

// R's manual of cor.test: tuna, Hunter L against panel scores (Hollander and Wolfe 1973, p. 187): tau =
// 0.4444, T = 26 of 36 pairs.
TEST(Kendall, PublishedExample) {
  const std::vector<double> x{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1},
      y{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8};
  EXPECT_NEAR(kendall(x, y), 16.0 / 36, 1e-12);
}

TEST(Kendall, TiesByHand) {  // 6 pairs; x ties one, y ties one; 4 concordant, none discordant
  const std::vector<double> x{1, 2, 2, 3}, y{1, 1, 2, 3};
  EXPECT_NEAR(kendall(x, y), 4 / 5.0, 1e-12);
  EXPECT_EQ(kendall(x, std::vector<double>(4, 7)), 0);
  EXPECT_EQ(kendall(x, x), 1);
  EXPECT_EQ(kendall(x, std::vector<double>{-1, -2, -2, -3}), -1);
  EXPECT_THROW(kendall(x, std::vector<double>(3)), std::invalid_argument);
}

// The chance that p states, against how many of all orders are as far out, or farther.
void expect_chances(const std::vector<std::pair<double, double>>& distance_and_p, double near) {
  for (const auto& [distance, p] : distance_and_p) {
    const auto as_far = std::ranges::count_if(
        distance_and_p, [&](const auto& other) { return other.first >= distance - 1e-9; });
    ASSERT_NEAR(p, static_cast<double>(as_far) / static_cast<double>(distance_and_p.size()), near)
        << distance;
  }
}

// All 5040 orders of seven samples, tied ones too, as far as a normal distribution can tell.
TEST(Steadiness, ChancesAreRightOverAllOrders) {
  for (const std::vector<double>& base :
       {std::vector<double>{1, 2, 3, 4, 5, 6, 7}, std::vector<double>{1, 1, 2, 3, 3, 3, 9}}) {
    std::vector<int> order(base.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::pair<double, double>> serial, trend;
    do {
      std::vector<double> samples;
      for (const int i : order) samples.push_back(base[static_cast<std::size_t>(i)]);
      const Steadiness got = steadiness(samples);
      serial.emplace_back(std::abs(got.autocorrelation + 1.0 / 6), got.autocorrelation_p);  // -1 / (n - 1)
      trend.emplace_back(std::abs(got.trend), got.trend_p);
    } while (std::ranges::next_permutation(order).found);
    ASSERT_EQ(serial.size(), 5040U);
    expect_chances(serial, 0.15);
    expect_chances(trend, 0.04);
  }
}

// R: Kendall::MannKendall(1:10) has S = 45, tau = 1, p = 8.3e-05 (normal, continuity corrected).
TEST(Steadiness, SteadyRise) {
  std::vector<double> samples(10);
  std::iota(samples.begin(), samples.end(), 1.0);
  const Steadiness up = steadiness(samples);
  EXPECT_EQ(up.trend, 1);
  EXPECT_NEAR(up.trend_p, 8.303e-5, 1e-7);
  std::ranges::reverse(samples);
  EXPECT_EQ(steadiness(samples).trend, -1);
}

// How often, of 400 entries of 30 samples, a property is found at 1 %.
double found(double Steadiness::* p, const std::function<std::vector<double>(std::mt19937_64&)>& entry) {
  std::mt19937_64 random(11);
  int count = 0;
  for (int trial = 0; trial < 400; ++trial) count += steadiness(entry(random)).*p < 0.01;
  return count / 400.0;
}

std::vector<double> independent(std::mt19937_64& random) {
  std::vector<double> samples(30);
  for (double& x : samples) x = 100 * std::exp(0.01 * std::cauchy_distribution<double>()(random));
  return samples;
}
std::vector<double> quantised(std::mt19937_64& random) {
  std::vector<double> samples = independent(random);
  for (double& x : samples) x = std::round(std::min(x, 1e6));
  return samples;
}
std::vector<double> dependent(std::mt19937_64& random) {
  std::vector<double> samples(30);
  double state = 0;
  for (double& x : samples) {
    state = 0.8 * state + std::normal_distribution<double>()(random);
    x = 100 + state;
  }
  return samples;
}
std::vector<double> slowing(std::mt19937_64& random) {  // by 1 % over the entry, noise of 0.5 %
  std::vector<double> samples(30);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = 100 + static_cast<double>(i) / 30 + 0.5 * std::normal_distribution<double>()(random);
  return samples;
}

TEST(Steadiness, FindsWhatIsThereAndLittleElse) {
  for (const auto p : {&Steadiness::autocorrelation_p, &Steadiness::trend_p}) {
    EXPECT_LE(found(p, independent), 0.03);
    EXPECT_LE(found(p, quantised), 0.03);
  }
  EXPECT_GE(found(&Steadiness::autocorrelation_p, dependent), 0.8);
  EXPECT_GE(found(&Steadiness::trend_p, slowing), 0.5);
}

TEST(Steadiness, OfFewOrConstantSamplesNothingIsSaid) {
  for (const std::vector<double>& samples :
       {std::vector<double>{}, std::vector<double>{1, 2, 3}, std::vector<double>(20, 3.5)}) {
    const Steadiness got = steadiness(samples);
    EXPECT_EQ(got.autocorrelation, 0);
    EXPECT_EQ(got.autocorrelation_p, 1);
    EXPECT_EQ(got.trend, 0);
    EXPECT_EQ(got.trend_p, 1);
  }
}

}  // namespace
}  // namespace podium::measure
