// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Student intervals and Holm's procedure against published examples.
#include "suite/rank/student.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace podium::rank {
namespace {

// Extra hours of sleep, drug 2 less drug 1: Student 1908, Biometrika 6, table of section VII.
const std::vector<double> sleep{1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};

TEST(Student, IntervalOfStudentsOwnExample) {
  const Mean got = mean(sleep);
  EXPECT_NEAR(got.value, 1.58, 1e-12);
  EXPECT_NEAR(got.value / got.error, 4.0621, 5e-5);
  EXPECT_NEAR(half_width(got, 0.05), 0.8798858, 5e-8);
  EXPECT_NEAR(p_beyond(got, 0), 0.00283289, 5e-9);
}

TEST(Student, QuantilesOfTheTables) {
  const struct {
    int count;
    double alpha, t;
  } table[] = {{2, 0.05, 12.706}, {7, 0.05, 2.447},   {7, 0.01, 3.707},
               {9, 0.05, 2.306},  {11, 0.001, 4.587}, {31, 0.05, 2.042}};
  for (const auto& [count, alpha, t] : table)
    EXPECT_NEAR(half_width({.value = 0, .error = 1, .freedom = count - 1.0}, alpha), t, 5e-4) << count;
}

TEST(Student, IntervalAndPValueAgree) {  // at alpha = p the interval touches the margin
  const Mean got = mean(sleep);
  EXPECT_NEAR(got.value - half_width(got, p_beyond(got, 0.5)), 0.5, 1e-9);
}

TEST(Student, InsideTheMarginIsNeverBeyond) {
  EXPECT_EQ(p_beyond(mean(sleep), 1.58), 1);
  EXPECT_EQ(p_beyond(mean(sleep), 2), 1);
}

// The same hours of sleep as two groups: R's t.test(extra ~ group, data = sleep), in its manual.
TEST(Student, WelchsDifferenceOfTwoGroups) {
  const std::vector<double> one{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
      other{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const Mean got = difference(one, other);
  EXPECT_NEAR(got.value, -1.58, 1e-12);
  EXPECT_NEAR(got.value / got.error, -1.8608, 5e-5);
  EXPECT_NEAR(got.freedom, 17.776, 5e-4);
  EXPECT_NEAR(p_beyond(got, 0), 0.07939, 5e-6);
  EXPECT_NEAR(got.value - half_width(got, 0.05), -3.3654832, 5e-8);
  EXPECT_NEAR(got.value + half_width(got, 0.05), 0.2054832, 5e-8);
}

TEST(Student, DifferenceOfFewOrEqualObservations) {
  EXPECT_TRUE(std::isinf(half_width(difference(std::vector{1.0}, std::vector{1.0, 2.0}), 0.05)));
  const Mean equal = difference(std::vector(3, 2.0), std::vector(4, 1.5));
  EXPECT_EQ(equal.value, 0.5);
  EXPECT_EQ(half_width(equal, 0.05), 0);
  EXPECT_EQ(equal.freedom, 5);
}

TEST(Student, OneObservationDecidesNothing) {
  const Mean one = mean(std::vector{5.0});
  EXPECT_EQ(p_beyond(one, 0), 1);
  EXPECT_TRUE(std::isinf(half_width(one, 0.05)));
  EXPECT_THROW(mean(std::vector<double>{}), std::invalid_argument);
}

TEST(Student, EqualObservationsDecideAtOnce) {
  const Mean equal = mean(std::vector(5, 0.5));
  EXPECT_EQ(half_width(equal, 0.05), 0);
  EXPECT_EQ(p_beyond(equal, 0.1), 0);
  EXPECT_EQ(p_beyond(equal, 0.5), 1);
}

TEST(Decide, LessMoreEqualAndNotKnown) {
  const auto at = [](double value, double error) {
    return Mean{.value = value, .error = error, .freedom = 6};
  };
  const std::vector<Mean> means{at(-0.1, 0.001),
                                at(0.1, 0.001),
                                at(0.005, 0.0005),
                                at(0.03, 0.02),
                                {.value = 0.5, .error = HUGE_VAL, .freedom = 0}};
  EXPECT_EQ(decide(means, 0.01, 0.05), (std::vector{Decision::less, Decision::more, Decision::equal,
                                                    Decision::undecided, Decision::undecided}));
}

// 0.03 ± 0.008 lies beyond 0.01 alone (t = 2.5 > 2.447), but not as one of twenty.
TEST(Decide, ManyAskForMore) {
  const Mean one{.value = 0.03, .error = 0.008, .freedom = 6};
  EXPECT_EQ(decide(std::vector{one}, 0.01, 0.05), std::vector{Decision::more});
  EXPECT_EQ(decide(std::vector(20, one), 0.01, 0.05), std::vector(20, Decision::undecided));
}

// The example of Wikipedia's "Holm-Bonferroni method".
TEST(Holm, StepsDownByHand) {
  const std::vector<Holm> got = holm(std::vector{0.01, 0.04, 0.03, 0.005}, 0.05);
  EXPECT_TRUE(got[3].rejected);   // 0.005 < 0.05 / 4
  EXPECT_TRUE(got[0].rejected);   // 0.010 < 0.05 / 3
  EXPECT_FALSE(got[2].rejected);  // 0.030 > 0.05 / 2: the end
  EXPECT_FALSE(got[1].rejected);  // 0.040 < 0.05 / 1, but too late
  EXPECT_DOUBLE_EQ(got[3].alpha, 0.05 / 4);
  EXPECT_DOUBLE_EQ(got[0].alpha, 0.05 / 3);
  EXPECT_DOUBLE_EQ(got[2].alpha, 0.05 / 2);
  EXPECT_DOUBLE_EQ(got[1].alpha, 0.05 / 2);
}

// Fifteen endpoints of a trial: Benjamini and Hochberg 1995, J. R. Statist. Soc. B 57, section 4. Three are
// rejected there by Bonferroni's levels, and as many by Hochberg's, which never reject less than Holm's.
TEST(Holm, PublishedExample) {
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<Holm> got = holm(p, 0.05);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(got[i].rejected, i < 3) << p[i];
}

TEST(Holm, RejectsAllOrNone) {
  for (const Holm& test : holm(std::vector{0.001, 0.002, 0.003}, 0.05)) EXPECT_TRUE(test.rejected);
  for (const Holm& test : holm(std::vector{0.017, 0.017, 0.017}, 0.05)) EXPECT_FALSE(test.rejected);
  EXPECT_TRUE(holm({}, 0.05).empty());
}

TEST(Holm, FamilyOfTrueHypothesesIsRejectedInFivePercent) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  int families = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<double> p(15);
    for (double& x : p) x = uniform(random);
    bool any = false;
    for (const Holm& test : holm(p, 0.05)) any = any || test.rejected;
    families += any;
  }
  EXPECT_NEAR(families / 20000.0, 1 - std::pow(1 - 0.05 / 15, 15), 0.006);  // 0.0489, 4 standard errors
}

}  // namespace
}  // namespace podium::rank
