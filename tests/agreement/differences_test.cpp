// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What counts as a difference between two evaluations, on numbers made for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "tests/agreement/differences.hpp"

namespace podium::agreement {
namespace {

using judge::Evaluated;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> words;
  for (const double value : values) words.push_back(std::bit_cast<std::uint64_t>(value));
  return words;
}

Evaluated reals(const std::vector<double>& values, const std::vector<double>& magnitudes = {}) {
  Evaluated one;
  one.kind = magnitudes.empty() ? 'd' : 'n';
  one.index.emplace_back();
  for (std::size_t k = 0; k < values.size(); ++k) one.index[0].push_back(static_cast<std::int64_t>(10 + k));
  one.values = bits(values), one.magnitudes = bits(magnitudes);
  return one;
}
Evaluated wholes(char kind, const std::vector<std::uint64_t>& values) {
  Evaluated one = reals(std::vector<double>(values.size()));
  one.kind = kind, one.values = values;
  return one;
}

Comparison compared(const std::vector<Evaluated>& left, const std::vector<Evaluated>& right) {
  problem::Problem problem;
  problem.references.resize(1);
  problem.references[0].name = "y";
  Comparison comparison;
  comparison.compare(problem, 1, left, right);
  return comparison;
}
// The sentences of two evaluations, "" where there is none.
std::string between(const Evaluated& left, const Evaluated& right) {
  std::string all;
  for (const auto& difference : compared({left}, {right}).differences) all += difference.text;
  return all;
}

TEST(Differences, RoundingIsNone) {
  EXPECT_EQ(between(reals({1, 0, -2e-300, infinite, nan}), reals({1 + 9e-13, 0, -2e-300, infinite, nan})),
            "");
  EXPECT_EQ(between(reals({1, 1e-12}), reals({1, 1.05e-12})), "");  // beside 1, a sum that has cancelled
  EXPECT_EQ(between(reals({1e-5, 7}, {3, 7}), reals({1e-5 + 2.9e-12, 7}, {3 + 2e-12, 7})), "");
}

TEST(Differences, MoreIsOneWithItsPlaceAndBothNumbers) {
  EXPECT_EQ(between(reals({1, 5, 5}), reals({1, 5 + 1e-11, 5 + 2e-11})),
            "y[11] is 5 and 5.00000000001, 4 times what rounding may do; 2 of 3 differ");
  EXPECT_THAT(between(reals({1, 0}), reals({1, 2e-13})), HasSubstr("y[11]"));
  EXPECT_THAT(between(reals({1e-5}, {3}), reals({1e-5 + 4e-12}, {3})), HasSubstr("y[10] is"));
  EXPECT_THAT(between(reals({1}, {3}), reals({1}, {3 + 4e-12})),
              HasSubstr("the magnitude of y[10] is 3 and"));
  EXPECT_THAT(between(reals({0}, {0}), reals({0}, {1e-300})), HasSubstr("the magnitude of y[10]"));
}

TEST(Differences, WhatIsNotFiniteIsTheSame) {
  for (const double other : {-infinite, nan, 1e308})
    EXPECT_THAT(between(reals({infinite}), reals({other})), HasSubstr("1 of 1 differ")) << other;
  EXPECT_THAT(between(reals({nan}), reals({0})), HasSubstr("1 of 1 differ"));
  EXPECT_THAT(between(reals({1}, {nan}), reals({1}, {1})), HasSubstr("the magnitude of y"));
}

TEST(Differences, WholeNumbersAreExact) {
  EXPECT_EQ(between(wholes('i', {~0ull, 5}), wholes('i', {~0ull, 5})), "");
  EXPECT_THAT(between(wholes('i', {~0ull, 1ull << 62}), wholes('i', {~0ull, (1ull << 62) + 1})),
              HasSubstr("y[11] is 4611686018427387904 and 4611686018427387905"));
  EXPECT_THAT(between(wholes('u', {~0ull}), wholes('u', {0})),
              HasSubstr("y[10] is 18446744073709551615 and 0"));
}

TEST(Differences, BothEvaluateTheSame) {
  EXPECT_EQ(between(wholes('i', {1}), reals({1})), "y is stored as i and d");
  Evaluated moved = reals({1});
  moved.index[0][0] = 11;
  EXPECT_EQ(between(reals({1}), moved), "y was evaluated at other places");
  EXPECT_EQ(compared({reals({1})}, {}).differences.at(0).text, "y was evaluated on the first alone");
  EXPECT_EQ(compared({}, {reals({1})}).differences.at(0).text, "y was evaluated on the second alone");
  EXPECT_THAT(compared({reals({1, 2})}, {reals({1, 2})}).elements, ElementsAre(2u));
  EXPECT_THAT(compared({reals({1, 2})}, {}).elements, ElementsAre(0u));
}

}  // namespace
}  // namespace podium::agreement
