// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVML through a library that stands in for it: loading, several devices, refusals, what older ones lack.
#include "backends/telemetry/nvml.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "suite/base/throttle_reason.hpp"
#include "tests/telemetry/stand_in.hpp"

namespace podium::telemetry {
namespace {

using testing::HasSubstr;

TEST(Nvml, TellsOfTheDeviceAtItsAddress) {
  const StandIn library("PODIUM_NVML", STAND_IN_NVML);
  auto other = open_nvml("0000:19:00.0");
  const auto first = other->read();
  EXPECT_EQ(first.sm_clock, 1980);
  EXPECT_EQ(first.memory_clock, 3201);
  EXPECT_EQ(first.temperature, 41);
  EXPECT_DOUBLE_EQ(first.power, 123.456);
  EXPECT_DOUBLE_EQ(other->energy(), 5'000'000'000.123) << "more than 32 bits";
  other.reset();
  EXPECT_EQ(first.throttle, 0u) << "idling is no throttling";

  const auto sensors = open_nvml("0000:C1:00.0");
  EXPECT_EQ(sensors->source(), "NVML");
  const auto second = sensors->read();
  EXPECT_EQ(second.sm_clock, 345);
  EXPECT_EQ(second.temperature, 83);
  EXPECT_DOUBLE_EQ(sensors->energy(), 7);
  EXPECT_EQ(second.throttle, throttle::power | throttle::temperature | throttle::slowdown);
}

TEST(Nvml, EveryReasonHasItsWord) {
  EXPECT_THAT(throttle_names(throttle::power | throttle::slowdown | throttle::user_setting),
              testing::ElementsAre("power cap", "slowdown", "user setting"));
  EXPECT_THAT(throttle_names(throttle::temperature | throttle::current | throttle::brake),
              testing::ElementsAre("temperature", "current limit", "power brake"));
  EXPECT_TRUE(throttle_names(0).empty());
}

TEST(Nvml, AnOlderLibraryLeavesUnknownWhatItLacks) {
  const StandIn library("PODIUM_NVML", STAND_IN_OLD_NVML);
  const auto is = open_nvml("0000:C1:00.0")->read();
  EXPECT_EQ(is.sm_clock, 345);
  EXPECT_TRUE(std::isnan(open_nvml("0000:C1:00.0")->energy()));
  EXPECT_EQ(is.throttle, throttle::power | throttle::temperature | throttle::slowdown) << "by its older name";
}

TEST(Nvml, WhatADeviceDoesNotSupportIsUnknown) {
  const StandIn library("PODIUM_NVML", STAND_IN_NVML, "unsupported");
  expect_nothing_known(open_nvml("0000:19:00.0")->read());
}

// Longer than the samples of the counters take to be made anew.
void wait() { std::this_thread::sleep_for(std::chrono::duration<double>(1.1 * nvml::gpm_least)); }

void expect_not_counted(const device::Counters& counters) {
  for (const double value : {counters.seconds, counters.sm_active, counters.sm_occupancy,
                             counters.tensor_active, counters.memory_bandwidth})
    EXPECT_TRUE(std::isnan(value)) << value;
}

TEST(Nvml, CountsWhatADeviceDidOverAStretch) {
  const StandIn library("PODIUM_NVML", STAND_IN_NVML);
  const auto sensors = open_nvml("0000:19:00.0");
  expect_not_counted(sensors->counted());
  EXPECT_TRUE(sensors->begin_counting());
  expect_not_counted(sensors->counted());  // too short to tell, and no second sample was taken
  wait();
  const auto counted = sensors->counted();
  EXPECT_GE(counted.seconds, nvml::gpm_least);
  EXPECT_EQ(counted.sm_active, 12.5);
  EXPECT_EQ(counted.sm_occupancy, 6.25);
  EXPECT_EQ(counted.memory_bandwidth, 41);
  EXPECT_TRUE(std::isnan(counted.tensor_active)) << "a metric that this device has not";
  EXPECT_TRUE(sensors->begin_counting()) << "and again";
}

TEST(Nvml, ADeviceWithoutCountersSaysSo) {
  const StandIn library("PODIUM_NVML", STAND_IN_NVML);
  EXPECT_FALSE(open_nvml("0000:C1:00.0")->begin_counting());
  const StandIn older("PODIUM_NVML", STAND_IN_OLD_NVML);
  const auto sensors = open_nvml("0000:19:00.0");
  EXPECT_FALSE(sensors->begin_counting());
  expect_not_counted(sensors->counted());
}

TEST(Nvml, CountersThatFailAreUnknown) {
  const StandIn library("PODIUM_NVML", STAND_IN_NVML, "stops counting");
  const auto sensors = open_nvml("0000:19:00.0");
  EXPECT_FALSE(sensors->begin_counting());
  wait();
  expect_not_counted(sensors->counted());
}

TEST(Nvml, SaysWhyItCannotBeUsed) {
  const auto open = [](const std::string& pci) { return [pci] { open_nvml(pci); }; };
  {
    const StandIn library("PODIUM_NVML", "/nowhere/libnvidia-ml.so.1");
    EXPECT_EQ(sentence(open("0000:19:00.0")), "/nowhere/libnvidia-ml.so.1 could not be loaded");
  }
  {
    const StandIn library("PODIUM_NVML", STAND_IN_NOTHING);
    EXPECT_THAT(sentence(open("0000:19:00.0")), HasSubstr("has no nvmlInit_v2; a newer one is needed"));
  }
  {
    const StandIn library("PODIUM_NVML", STAND_IN_NVML, "refuse");
    EXPECT_THAT(sentence(open("0000:19:00.0")), HasSubstr("did not start: Unknown Error"));
  }
  {
    const StandIn library("PODIUM_NVML", STAND_IN_OLD_NVML, "refuse");
    EXPECT_THAT(sentence(open("0000:19:00.0")), HasSubstr("did not start: error 999")) << "without its texts";
  }
  const StandIn library("PODIUM_NVML", STAND_IN_NVML);
  EXPECT_THAT(sentence(open("0000:55:00.0")),
              HasSubstr("does not know the device at 0000:55:00.0: Not Found"));
  EXPECT_EQ(sentence(open("0000:19:00.0")), "") << "what failed has been shut down again";
}

}  // namespace
}  // namespace podium::telemetry
