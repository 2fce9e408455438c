// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Ranks, spans, ties and scores: by hand and on simulated runs.
#include "suite/rank/ranking.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

namespace podium::rank {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Candidate steady(const std::string& name, double time, int rounds = 7) {
  return {name, {std::vector<double>(rounds, time)}};
}

const Row& row(const Ranking& ranking, const std::string& name) {
  const auto found = std::ranges::find(ranking.rows, name, &Row::name);
  if (found == ranking.rows.end()) throw std::out_of_range(name);
  return *found;
}

std::vector<std::string> names(const Ranking& ranking) {
  std::vector<std::string> result;
  for (const Row& row : ranking.rows) result.push_back(row.name);
  return result;
}

TEST(Ranking, OrdersAndScoresSteadyTimes) {
  const Ranking got = rank(
      {steady("base", 100), steady("twin", 100), steady("slow", 200), steady("fast", 50)}, "base", "twin");
  EXPECT_DOUBLE_EQ(got.delta, std::log(1.002));
  EXPECT_THAT(names(got), ElementsAre("fast", "base", "slow"));
  EXPECT_EQ(got.rows[0].rank, 1);
  EXPECT_EQ(got.rows[0].last, 1);
  EXPECT_EQ(got.rows[2].rank, 3);
  EXPECT_EQ(got.rows[2].last, 3);
  EXPECT_NEAR(row(got, "fast").score, 2, 1e-12);
  EXPECT_NEAR(row(got, "fast").score_low, 2, 1e-12);
  EXPECT_NEAR(row(got, "slow").score, 0.5, 1e-12);
  EXPECT_EQ(row(got, "base").score, 1);
  for (const Row& each : got.rows) EXPECT_THAT(each.undecided, IsEmpty());
}

TEST(Ranking, ScoreIsTheGeometricMeanOverWorkloads) {
  const auto two = [](const std::string& name, double first, double second) {
    return Candidate{name, {std::vector<double>(7, first), std::vector<double>(7, second)}};
  };
  const Ranking got = rank({two("base", 100, 1), two("twin", 100, 1), two("a", 50, 8)}, "base", "twin");
  EXPECT_NEAR(row(got, "a").score, std::sqrt(2.0 / 8), 1e-12);
}

TEST(Ranking,
     ScoreIntervalByHand) {  // log speed-ups 0.1, 0.2 ... 0.7: mean 0.4, standard error sqrt(0.28 / 6 / 7)
  Candidate a{"a", {{}}};
  for (int round = 1; round <= 7; ++round) a.times[0].push_back(100 * std::exp(-0.1 * round));
  const Ranking got = rank({steady("base", 100), steady("twin", 100), a}, "base", "twin");
  EXPECT_NEAR(row(got, "a").score, std::exp(0.4), 1e-12);
  EXPECT_NEAR(row(got, "a").score_low, std::exp(0.4 - 2.446912 * 0.0816497), 1e-6);
  EXPECT_NEAR(row(got, "a").score_high, std::exp(0.4 + 2.446912 * 0.0816497), 1e-6);
}

TEST(Ranking, DeltaIsTheTwinsUpperBound) {  // differences of the same seven numbers
  Candidate twin{"twin", {{}}};
  for (int round = 1; round <= 7; ++round) twin.times[0].push_back(100 * std::exp(0.001 * round));
  const Ranking got = rank({steady("base", 100), twin, steady("a", 100.5)}, "base", "twin");
  EXPECT_NEAR(got.delta, 0.004 + 2.446912 * 0.000816497, 1e-8);
  EXPECT_EQ(row(got, "a").rank, 1);  // 0.5 % slower, less than delta: equal, and shown so
  EXPECT_THAT(row(got, "a").undecided, IsEmpty());
}

TEST(Ranking, WithoutATwinOnlyMoreThanOnePercentCounts) {
  const Ranking got = rank({steady("base", 100), steady("near", 100.9), steady("far", 101.1)}, "base", "");
  EXPECT_DOUBLE_EQ(got.delta, std::log(1.01));
  EXPECT_EQ(row(got, "near").rank, 1);
  EXPECT_EQ(row(got, "far").rank, 2);  // behind base, not behind near
  EXPECT_EQ(row(got, "near").last, 3);
}

TEST(Ranking, TiesShowTheirSpan) {
  const Ranking got = rank(
      {steady("base", 100), steady("twin", 100), steady("a", 100.1), steady("b", 100.15), steady("c", 150)},
      "base", "twin");
  for (const std::string name : {"base", "a", "b"}) {
    EXPECT_EQ(row(got, name).rank, 1) << name;
    EXPECT_EQ(row(got, name).last, 3) << name;
  }
  EXPECT_EQ(row(got, "c").rank, 4);
}

TEST(Ranking, PairsAreComparedWithinRounds) {  // drift common to both does not blur them
  Candidate base{"base", {{}}}, twin{"twin", {{}}}, slower{"slower", {{}}};
  for (int round = 0; round < 7; ++round) {
    const double drift = 100 * (1 + round);
    base.times[0].push_back(drift);
    twin.times[0].push_back(drift);
    slower.times[0].push_back(drift * 1.01);
  }
  const Ranking got = rank({base, twin, slower}, "base", "twin");
  EXPECT_EQ(row(got, "slower").rank, 2);
}

TEST(Ranking, NoisyPairsAreUndecided) {
  Candidate noisy{"noisy", {{90, 110, 95, 105, 92, 108, 100}}};
  const Ranking got =
      rank({steady("base", 100), steady("twin", 100), noisy, steady("far", 1000)}, "base", "twin");
  EXPECT_EQ(row(got, "noisy").rank, 1);
  EXPECT_THAT(row(got, "noisy").undecided, ElementsAre("base"));
  EXPECT_THAT(row(got, "base").undecided, ElementsAre("noisy"));
  EXPECT_THAT(row(got, "far").undecided, IsEmpty());
}

TEST(Ranking, FewRoundsSeparateNobody) {
  for (int rounds = 1; rounds <= 6; ++rounds) {
    const Ranking got = rank(
        {steady("base", 100, rounds), steady("twin", 100, rounds), steady("a", 1, rounds)}, "base", "twin");
    for (const Row& each : got.rows) {
      EXPECT_TRUE(each.scored);
      EXPECT_EQ(each.rank, 1);
      EXPECT_EQ(each.last, 2);
      EXPECT_EQ(each.undecided.size(), 1u);
    }
    EXPECT_NEAR(row(got, "a").score, 100, 1e-9);
    EXPECT_EQ(std::isnan(row(got, "a").score_low), rounds == 1);
    EXPECT_TRUE(std::isfinite(got.delta));
  }
}

TEST(Ranking, UnfinishedCandidatesStandLastWithoutScore) {
  Candidate part{"part", {{1, 1, 1, missing, 1, 1, 1}}};
  const Ranking got = rank({part, steady("base", 100), steady("twin", 100)}, "base", "twin");
  EXPECT_THAT(names(got), ElementsAre("base", "part"));
  EXPECT_FALSE(got.rows[1].scored);
  EXPECT_EQ(got.rows[1].rank, 0);
  EXPECT_TRUE(std::isnan(got.rows[1].score));
  EXPECT_EQ(got.rows[0].last, 1);  // those without a score do not count in spans
}

TEST(Ranking, WithoutABaselineTimeThereAreRanksButNoScores) {
  const Ranking got =
      rank({{"base", {std::vector<double>(7, missing)}}, steady("slow", 2), steady("fast", 1)}, "base", "");
  EXPECT_THAT(names(got), ElementsAre("fast", "slow", "base"));
  EXPECT_EQ(got.rows[1].rank, 2);
  for (const Row& each : got.rows) EXPECT_TRUE(std::isnan(each.score));
}

TEST(Ranking, AnUnfinishedTwinProvesNoSmallDelta) {
  const Ranking got =
      rank({steady("base", 100), {"twin", {std::vector<double>(7, missing)}}}, "base", "twin");
  EXPECT_DOUBLE_EQ(got.delta, std::log(1.01));
}

TEST(Ranking, RefusesNonsense) {
  EXPECT_THROW(rank({steady("a", 1)}, "base", "twin"), std::invalid_argument);
  EXPECT_THROW(rank({}, "base", "twin"), std::invalid_argument);
  EXPECT_THROW(rank({{"base", {}}}, "base", ""), std::invalid_argument);
  EXPECT_THROW(rank({{"base", {{}}}}, "base", ""), std::invalid_argument);
  EXPECT_THROW(rank({steady("base", 1), steady("a", 1, 8)}, "base", ""), std::invalid_argument);
  EXPECT_THROW(rank({steady("base", 1), {"a", {{1}, {1}}}}, "base", ""), std::invalid_argument);
  EXPECT_THROW(rank({steady("base", 1), steady("a", 1), steady("a", 1)}, "base", ""), std::invalid_argument);
  for (const double time : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(rank({steady("base", 1), steady("a", time)}, "base", ""), std::invalid_argument) << time;
}

// A run of nine rounds and three workloads: a baseline, its twin and `factors.size()` contestants that take
// `factor` times as long; noise of each entry, usually 0.5 %, and drift common to a round.
using Noise = std::function<double(std::mt19937_64&)>;
Ranking simulate(std::mt19937_64& random, const std::vector<double>& factors,
                 const Noise& noise = std::normal_distribution<double>(0, 0.005)) {
  constexpr int workloads = 3, rounds = 9;
  std::normal_distribution<double> drift(0, 0.05);
  std::vector<Candidate> candidates{{"base", {}}, {"twin", {}}};
  for (std::size_t i = 0; i < factors.size(); ++i) candidates.push_back({fmt::format("c{}", i), {}});
  for (Candidate& candidate : candidates) candidate.times.assign(workloads, std::vector<double>(rounds));
  for (int workload = 0; workload < workloads; ++workload) {
    for (int round = 0; round < rounds; ++round) {
      const double common = 100 * std::exp(drift(random)) * (1 + workload);
      for (std::size_t i = 0; i < candidates.size(); ++i)
        candidates[i].times[workload][round] =
            common * (i < 2 ? 1 : factors[i - 2]) * std::exp(noise(random));
    }
  }
  return rank(candidates, "base", "twin");
}

TEST(Ranking, CopiesAreRarelySeparated) {
  std::mt19937_64 random(2);
  int separated = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    const Ranking got = simulate(random, {1, 1, 1, 1, 1, 1, 1});
    separated += std::ranges::any_of(got.rows, [](const Row& row) { return row.rank != 1; });
  }
  EXPECT_LE(separated, trials / 20);
}

// Whatever an entry's noise looks like: in two states 8 % apart, with heavy tails, in coarse steps, or none
// at all.
TEST(Ranking, CopiesAreRarelySeparatedWhateverTheNoise) {
  const std::vector<std::pair<std::string, Noise>> kinds{
      {"bimodal", [](auto& random) { return std::bernoulli_distribution(0.3)(random) ? 0.08 : 0.0; }},
      {"heavy-tailed", [](auto& random) { return 0.005 * std::student_t_distribution<double>(2)(random); }},
      {"quantised",
       [](auto& random) { return 0.01 * std::round(std::normal_distribution<double>(0, 0.7)(random)); }},
      {"constant", [](auto&) { return 0.0; }}};
  for (const auto& [name, noise] : kinds) {
    std::mt19937_64 random(7);
    int separated = 0;
    constexpr int trials = 200;
    for (int trial = 0; trial < trials; ++trial) {
      const Ranking got = simulate(random, {1, 1, 1, 1, 1, 1, 1}, noise);
      separated += std::ranges::any_of(got.rows, [](const Row& row) { return row.rank != 1; });
    }
    EXPECT_LE(separated, trials / 20) << name;
  }
}

TEST(Ranking, FivePercentSlowerIsSeparated) {
  std::mt19937_64 random(3);
  int separated = 0;
  constexpr int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    const Ranking got = simulate(random, {1, 1.05, 1, 1});
    separated += row(got, "c1").rank == 5 && got.rows.back().name == "c1";
  }
  EXPECT_GE(separated, trials * 98 / 100);
}

TEST(Ranking, ScoreIntervalsCoverTheTruth) {
  std::mt19937_64 random(4);
  int covered = 0;
  constexpr int trials = 1000;
  for (int trial = 0; trial < trials; ++trial) {
    const Ranking got = simulate(random, {0.5});
    covered += row(got, "c0").score_low <= 2 && 2 <= row(got, "c0").score_high;
  }
  EXPECT_NEAR(covered / static_cast<double>(trials), 0.95, 0.028);
}

TEST(Ranking, SpansAreConsistent) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> factor(0.97, 1.03);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> factors(6);
    for (double& x : factors) x = factor(random);
    const Ranking got = simulate(random, factors);
    EXPECT_EQ(got.rows.size(), 7u);
    EXPECT_EQ(got.rows.front().rank, 1);
    for (std::size_t i = 0; i < got.rows.size(); ++i) {
      const Row& each = got.rows[i];
      EXPECT_LE(each.rank, each.last);
      EXPECT_LE(each.last, 7);
      EXPECT_LE(i ? got.rows[i - 1].rank : 1, each.rank);
      EXPECT_LE(each.score_low, each.score);
      EXPECT_LE(each.score, each.score_high);
      EXPECT_GT(each.score_low, 0);
    }
  }
}

}  // namespace
}  // namespace podium::rank
