// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD SMI through a library that stands in for it.
#include "backends/telemetry/amd_smi.hpp"

#include <gmock/gmock.h>

#include "suite/base/throttle_reason.hpp"
#include "tests/telemetry/stand_in.hpp"

namespace podium::telemetry {
namespace {

using testing::HasSubstr;

TEST(AmdSmi, TellsOfTheDeviceAtItsAddress) {
  const StandIn library("PODIUM_AMD_SMI", STAND_IN_AMD_SMI);
  auto other = open_amd_smi("0000:c1:00.0");
  const auto newer = other->read();
  EXPECT_EQ(newer.sm_clock, 2100) << "one of several";
  EXPECT_EQ(newer.memory_clock, 1300);
  EXPECT_EQ(newer.temperature, 55);
  EXPECT_EQ(newer.power, 743);
  EXPECT_NEAR(other->energy(), 15'259'000, 1) << "float's resolution";
  EXPECT_EQ(other->partition(), "CPX NPS4");
  other.reset();
  EXPECT_EQ(newer.throttle, 0u) << "all ones: it does not say";

  const auto sensors = open_amd_smi("0002:1f:03.1");
  EXPECT_EQ(sensors->source(), "AMD SMI");
  EXPECT_EQ(sensors->partition(), "") << "whole";
  const auto older = sensors->read();
  EXPECT_EQ(older.sm_clock, 800);
  EXPECT_EQ(older.memory_clock, 1600);
  EXPECT_EQ(older.temperature, 37) << "the hottest";
  EXPECT_EQ(older.power, 89);
  EXPECT_NEAR(sensors->energy(), 30.518, 1e-4);
  EXPECT_EQ(older.throttle, throttle::power | throttle::current | throttle::temperature);
}

TEST(AmdSmi, WhatALibraryOrADeviceLacksIsUnknown) {
  {
    const StandIn library("PODIUM_AMD_SMI", STAND_IN_OLD_AMD_SMI);
    const auto sensors = open_amd_smi("0000:c1:00.0");
    EXPECT_EQ(sensors->read().power, 743);
    EXPECT_TRUE(std::isnan(sensors->energy()));
    EXPECT_EQ(sensors->partition(), "");
  }
  const StandIn library("PODIUM_AMD_SMI", STAND_IN_AMD_SMI, "unsupported");
  expect_nothing_known(open_amd_smi("0000:c1:00.0")->read());
}

TEST(AmdSmi, SaysWhyItCannotBeUsed) {
  const auto open = [](const std::string& pci) { return [pci] { open_amd_smi(pci); }; };
  {
    const StandIn library("PODIUM_AMD_SMI", "/nowhere/libamd_smi.so");
    EXPECT_EQ(sentence(open("0000:c1:00.0")), "/nowhere/libamd_smi.so could not be loaded");
  }
  {
    const StandIn library("PODIUM_AMD_SMI", STAND_IN_NOTHING);
    EXPECT_THAT(sentence(open("0000:c1:00.0")), HasSubstr("has no amdsmi_init; a newer one is needed"));
  }
  {
    const StandIn library("PODIUM_AMD_SMI", STAND_IN_AMD_SMI, "refuse");
    EXPECT_THAT(sentence(open("0000:c1:00.0")), HasSubstr("did not start: status 1"));
  }
  const StandIn library("PODIUM_AMD_SMI", STAND_IN_AMD_SMI);
  EXPECT_THAT(sentence(open("0000:c1:00.1")),
              HasSubstr("does not know the device at 0000:c1:00.1: status 31"));
  EXPECT_EQ(sentence(open("c1")), "'c1' is no address on the PCI bus, such as 0000:c1:00.0");
  for (const char* wrong :
       {"", "0000:c1:00", "0000:c1:00.", ":c1:00.0", "0000-c1-00.0", "0000:g1:00.0", " 0:1:2.3"})
    EXPECT_NE(sentence(open(wrong)).find("is no address"), std::string::npos) << wrong;
  EXPECT_EQ(sentence(open("0000:c1:00.0!")),
            "'0000:c1:00.0!' is no address on the PCI bus, such as 0000:c1:00.0");
  EXPECT_EQ(sentence(open("0000:c1:00.0")), "") << "what failed has been shut down again";
}

}  // namespace
}  // namespace podium::telemetry
