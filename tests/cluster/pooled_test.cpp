// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Ranks of rounds from several devices: how often contestants are told apart that are equal on these devices.
// Simulated boards with fixed seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "suite/rank/ranking.hpp"

namespace podium::cluster {
namespace {

struct Simulation {
  int devices = 4, rounds_each = 2;
  double device = 0.03;        // deviation of a device, of its type
  double interaction = 0.005;  // of a contestant's speed-up, between devices
  double noise = 0.003;        // of a round
  bool equal_here = true;      // on these devices; else on the average of the type
};

// Two contestants and the baseline, which is ten percent slower.
bool tells_apart(const Simulation& s, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> interactions;
  double mean = 0;
  for (int d = 0; d < s.devices; ++d) {
    interactions.push_back(s.interaction * normal(random));
    mean += interactions.back() / s.devices;
  }
  std::vector<rank::Candidate> all{{"baseline", {{}}}, {"twin", {{}}}, {"a", {{}}}, {"b", {{}}}};
  for (int d = 0; d < s.devices; ++d) {
    const double level = s.device * normal(random);
    const double difference = interactions[static_cast<std::size_t>(d)] - (s.equal_here ? mean : 0);
    for (int round = 0; round < s.rounds_each; ++round)
      for (rank::Candidate& one : all)
        one.times[0].push_back(100 * std::exp(level + s.noise * normal(random) +
                                              (one.name == "a" ? difference : 0) +
                                              (one.name.size() > 1 ? 0.1 : 0)));
  }
  for (const rank::Row& row : rank::rank(all, "baseline", "twin").rows)
    if (row.name != "baseline" && row.rank != 1) return true;
  return false;
}

int told_apart(const Simulation& simulation, int boards) {
  std::mt19937_64 random(1);
  int count = 0;
  for (int i = 0; i < boards; ++i) count += tells_apart(simulation, random);
  return count;
}

constexpr int boards = 2000;

TEST(Pooled, ContestantsThatAreEqualOnTheseDevicesAreRarelyToldApart) {
  for (const Simulation& simulation :
       {Simulation{}, Simulation{.devices = 2, .rounds_each = 4}, Simulation{.devices = 8, .rounds_each = 1},
        Simulation{.interaction = 0}})
    EXPECT_LE(told_apart(simulation, boards), boards / 20);
}

// What docs/campaigns.md says of devices that did not take part.
TEST(Pooled, ThoseThatAreEqualOnTheAverageOfTheTypeAreToldApartMoreOften) {
  const int count =
      told_apart({.devices = 2, .rounds_each = 4, .interaction = 0.02, .equal_here = false}, boards);
  EXPECT_GT(count, boards / 20);
  RecordProperty("two_devices", count);
  RecordProperty("four_devices", told_apart({.interaction = 0.005, .equal_here = false}, boards));
  RecordProperty(
      "eight_devices",
      told_apart({.devices = 8, .rounds_each = 1, .interaction = 0.005, .equal_here = false}, boards));
}

}  // namespace
}  // namespace podium::cluster
