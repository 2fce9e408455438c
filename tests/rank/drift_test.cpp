// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device whose clock falls by 15 % while a board is measured: blocks stay right where measuring one
// contestant after the other is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "suite/rank/ranking.hpp"

namespace podium::rank {
namespace {

constexpr int contestants = 6, rounds = 7;  // the twin included

// True times of contestants are 2 % apart, the first is the fastest; `turn` of all turns is the time of day.
class Device {
 public:
  explicit Device(std::uint64_t seed) : random_(seed) {}
  double median_of_entry(int contestant) {
    const double clock = 1 - 0.15 * turn_++ / (contestants * rounds);
    const int place = contestant == contestants - 1 ? 0 : contestant;  // the last is the first one's twin
    return 100 * std::pow(1.02, place) / clock * std::exp(0.001 * noise_(random_));
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> noise_;
  double turn_ = 0;
};

std::vector<Candidate> nobody() {
  std::vector<Candidate> candidates;
  for (int c = 0; c < contestants; ++c)
    candidates.push_back({c == contestants - 1 ? "twin" : std::string(1, static_cast<char>('a' + c)), {{}}});
  return candidates;
}

Ranking in_blocks(std::uint64_t seed) {
  Device device(seed);
  std::mt19937_64 random(seed + 1);
  std::vector<Candidate> candidates = nobody();
  std::vector<int> order(contestants);
  std::iota(order.begin(), order.end(), 0);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const int c : order)
      candidates[static_cast<std::size_t>(c)].times[0].push_back(device.median_of_entry(c));
  }
  return rank(candidates, "a", "twin");
}

// The slowest first, as a list that nobody shuffled may have it.
Ranking one_after_the_other(std::uint64_t seed) {
  Device device(seed);
  std::vector<Candidate> candidates = nobody();
  for (int c = contestants - 1; c-- > 0;)
    for (int round = 0; round < rounds; ++round)
      candidates[static_cast<std::size_t>(c)].times[0].push_back(device.median_of_entry(c));
  for (int round = 0; round < rounds; ++round)
    candidates[contestants - 1].times[0].push_back(device.median_of_entry(contestants - 1));
  return rank(candidates, "a", "twin");
}

const Row& row(const Ranking& ranking, const std::string& name) {
  return *std::ranges::find(ranking.rows, name, &Row::name);
}

TEST(Drift, BlocksStayRight) {
  const double truth = std::pow(1.02, -4);  // of the last, against the first
  int separated = 0, covered = 0, covered_sequential = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Ranking blocks = in_blocks(seed), sequential = one_after_the_other(seed);
    std::vector<int> ranks;
    for (const char name : {'a', 'b', 'c', 'd', 'e'}) ranks.push_back(row(blocks, std::string(1, name)).rank);
    EXPECT_TRUE(std::ranges::is_sorted(ranks)) << "seed " << seed;
    separated += ranks.back() > ranks.front();
    covered += row(blocks, "e").score_low <= truth && truth <= row(blocks, "e").score_high;
    EXPECT_GT(row(sequential, "e").score, 1) << "the slowest is said to be the fastest, seed " << seed;
    covered_sequential += row(sequential, "e").score_low <= truth && truth <= row(sequential, "e").score_high;
  }
  EXPECT_GE(separated, 95) << "8 % between the first and the last are seen in spite of the drift";
  EXPECT_GE(covered, 88);  // 95 of 100 are expected; 88 or fewer in one test of 400
  EXPECT_EQ(covered_sequential, 0);
}

}  // namespace
}  // namespace podium::rank
