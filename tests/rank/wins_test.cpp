// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/rank/wins.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace podium::rank {
namespace {

constexpr double delta = 0.002;
const std::vector<double> hundred(7, 100);

Wins of(const std::vector<double>& times) {
  Wins wins;
  wins.add(times, hundred, delta);
  return wins;
}

TEST(Wins, CountBySpeedUp) {
  const struct {
    double time;
    int won;
    std::array<int, 3> fast;
  } cases[] = {{40, 1, {1, 1, 1}},  {60, 1, {1, 1, 0}},
               {80, 1, {1, 0, 0}},  {99.9, 0, {1, 0, 0}},  // faster, but by less than delta
               {100, 0, {0, 0, 0}}, {120, 0, {0, 0, 0}}};
  for (const auto& [time, won, fast] : cases) {
    const Wins got = of(std::vector(7, time));
    EXPECT_EQ(got.won, won) << time;
    EXPECT_EQ(got.fast, fast) << time;
    EXPECT_EQ(got.workloads, 1);
  }
}

TEST(Wins, NoiseIsNoWin) {  // 20 % faster on average, not shown
  const Wins noisy = of({60, 130, 70, 120, 65, 60, 75});
  EXPECT_EQ(noisy.won, 0);
  EXPECT_EQ(noisy.fast[0], 1);
}

TEST(Wins, FewRoundsShowNothing) {
  Wins few;
  few.add(std::vector(6, 50.0), std::vector(6, 100.0), delta);
  EXPECT_EQ(few.won, 0);
  EXPECT_EQ(few.fast[1], 1);
}

TEST(Wins, WhatDidNotFinishCouldHaveBeenWon) {
  Wins all = of({});
  all.add(of(std::vector(7, 50.0)));
  EXPECT_EQ(all.workloads, 2);
  EXPECT_EQ(all.won, 1);
  EXPECT_EQ(all.fast, (std::array{1, 1, 0}));
}

TEST(Wins, RoundsMustPair) { EXPECT_THROW(of({1, 2, 3}), std::invalid_argument); }

}  // namespace
}  // namespace podium::rank
