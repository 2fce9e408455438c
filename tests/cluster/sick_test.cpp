// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sick devices: found among sound ones, and sound ones are not named. Simulated campaigns with fixed seeds.
#include "suite/cluster/sick.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace podium::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A device's own samples scatter, and devices of a type differ.
struct Fleet {
  int devices = 1000;
  double between = 0.003;  // deviation of a device, of its type
  double within = 0.002;   // of a sample, of its device
  int samples = 11;
  double heavy = 0;  // degrees of freedom of Student's distribution between devices; 0: normal
};

std::vector<NodeRecord> simulated(const Fleet& fleet, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> student(fleet.heavy > 0 ? fleet.heavy : 1);
  std::vector<NodeRecord> nodes;
  for (int i = 0; i < fleet.devices; ++i) {
    NodeRecord node{.node = "n" + std::to_string(i),
                    .device = "GPU-" + std::to_string(i),
                    .key = {.backend = "cuda", .product = "NVIDIA H200", .architecture = "sm_90"},
                    .environment = {{"driver", "580"}, {"ecc", "on"}}};
    const double level = fleet.between * (fleet.heavy > 0 ? student(random) : normal(random));
    Reading reading{.shard = std::to_string(i)};
    for (int k = 0; k < fleet.samples; ++k) {
      reading.common.push_back(100 * std::exp(level + fleet.within * normal(random)));
      reading.canary.push_back(20 * std::exp(level + fleet.within * normal(random)));
    }
    node.readings.push_back(reading);
    nodes.push_back(node);
  }
  return nodes;
}

void slow_down(NodeRecord& node, double factor) {
  for (Reading& reading : node.readings)
    for (auto* times : {&reading.common, &reading.canary})
      for (double& time : *times) time *= factor;
}

bool names(const Health& health, const NodeRecord& node) {
  return std::ranges::find(health.sick, node.device, &SickDevice::device) != health.sick.end();
}

// Of `campaigns` in which all devices are sound, those that name one.
int false_alarms_of(const Fleet& fleet, int campaigns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int alarms = 0;
  for (int i = 0; i < campaigns; ++i) alarms += !health_of(simulated(fleet, random)).sick.empty();
  return alarms;
}

TEST(Sick, OneOfAThousandAtTwoPercentIsFound) {
  const int campaigns = 60;
  std::mt19937_64 random(1);  // of 0.3 % between devices
  int found = 0, others = 0;
  for (int i = 0; i < campaigns; ++i) {
    auto nodes = simulated({}, random);
    slow_down(nodes[17], 1.02);
    const Health health = health_of(nodes);
    found += names(health, nodes[17]);
    others += static_cast<int>(health.sick.size()) - names(health, nodes[17]);
  }
  EXPECT_GE(found, campaigns - 1);
  EXPECT_LE(others, 2);  // 60 campaigns at most at 1 %: 0.6 expected
}

TEST(Sick, TwentyOfAThousandDoNotMaskEachOther) {
  std::mt19937_64 random(2);
  auto nodes = simulated({}, random);
  for (std::size_t i = 0; i < 20; ++i) slow_down(nodes[50 * i], 1.03);
  const Health health = health_of(nodes);
  EXPECT_EQ(health.sick.size(), 20U);
}

// A campaign is a false alarm if it names any device. The spread is wide, so that least_slowdown hides none.
TEST(Sick, AtMostOneCampaignInAHundredIsAFalseAlarm) {
  for (const int devices : {3, 4, 6, 10, 30, 100}) {
    const int campaigns = 4000;
    const int alarms = false_alarms_of({.devices = devices, .between = 0.03, .within = 0.003, .samples = 3},
                                       campaigns, 3 + static_cast<std::uint64_t>(devices));
    // 40 expected at 1 %; the count exceeds 57 in one of 200 tries.
    EXPECT_LE(alarms, 57) << devices << " devices";
    RecordProperty("alarms_" + std::to_string(devices), alarms);
  }
  const int alarms =
      false_alarms_of({.devices = 1000, .between = 0.03, .within = 0.003, .samples = 3}, 400, 5);
  EXPECT_LE(alarms, 10) << "1000 devices";
  RecordProperty("alarms_1000", alarms);
}

// Tails heavier than normal: what docs/campaigns.md says of them.
TEST(Sick, HeavierTailsOfSoundDevicesRaiseMoreAlarms) {
  const auto alarms = [](double freedom) {
    return false_alarms_of({.devices = 1000, .between = 0.001, .heavy = freedom}, 200, 6);
  };
  EXPECT_LE(alarms(10), 5);
  EXPECT_NEAR(alarms(5), 23, 10);
}

TEST(Sick, ThreeDevicesTellOnlyWhatIsGross) {
  std::mt19937_64 random(7);
  auto nodes = simulated({.devices = 3}, random);
  slow_down(nodes[1], 1.02);
  const Health health = health_of(nodes);
  EXPECT_TRUE(health.sick.empty());
  ASSERT_EQ(health.types.size(), 2U);
  EXPECT_GT(health.types[0].detectable_percent, 20);  // and it says so
  nodes.resize(2);
  EXPECT_TRUE(std::isinf(health_of(nodes).types[0].detectable_percent));
}

TEST(Sick, EvidenceNamesDeviceIntervalAndWhatIsUnlike) {
  std::mt19937_64 random(8);
  auto nodes = simulated({.devices = 50}, random);
  slow_down(nodes[4], 1.05);
  nodes[4].environment["ecc"] = "off";
  const Health health = health_of(nodes);
  ASSERT_EQ(health.sick.size(), 1U);
  const SickDevice& sick = health.sick.front();
  EXPECT_EQ(sick.node, "n4");
  EXPECT_THAT(sick.shards, ElementsAre("4"));
  EXPECT_LT(sick.slowdown.low, sick.slowdown.value);
  EXPECT_GT(sick.slowdown.high, sick.slowdown.value);
  EXPECT_THAT(sick.evidence(), HasSubstr("than the median of 50 devices of its type"));
  EXPECT_THAT(sick.evidence(), HasSubstr("ecc is off, not on"));
}

TEST(Sick, TypesAreNotHeldAgainstEachOther) {
  std::mt19937_64 random(9);
  auto nodes = simulated({.devices = 30}, random), others = simulated({.devices = 30}, random);
  for (NodeRecord& node : others) {
    node.key = {.backend = "hip", .product = "AMD Instinct MI300X", .architecture = "gfx942"};
    slow_down(node, 3);
  }
  std::ranges::copy(others, std::back_inserter(nodes));
  const Health health = health_of(nodes);
  EXPECT_TRUE(health.sick.empty());
  EXPECT_EQ(health.types.size(), 4U);
}

// One that is faster than the others is not sick.
TEST(Sick, AFastDeviceIsNotNamed) {
  std::mt19937_64 random(10);
  auto nodes = simulated({.devices = 50}, random);
  slow_down(nodes[3], 0.9);
  EXPECT_TRUE(health_of(nodes).sick.empty());
}

}  // namespace
}  // namespace podium::cluster
