// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// ROCm SMI through a library that stands in for it, in the forms of ROCm 5 and of later ones.
#include "backends/telemetry/rocm_smi.hpp"

#include <gmock/gmock.h>

#include "tests/telemetry/stand_in.hpp"

namespace podium::telemetry {
namespace {

using testing::HasSubstr;

void expect_told(const std::string& library, double power_of_the_first) {
  const StandIn stand_in("PODIUM_ROCM_SMI", library);
  auto other = open_rocm_smi("0000:c1:00.0");
  const auto first = other->read();
  EXPECT_EQ(first.sm_clock, 1000);
  EXPECT_EQ(first.memory_clock, 2000);
  EXPECT_EQ(first.temperature, 45.5);
  EXPECT_EQ(first.power, power_of_the_first);
  EXPECT_NEAR(other->energy(), 153, 1e-4);
  other.reset();

  const auto sensors = open_rocm_smi("0002:1f:03.1");
  EXPECT_EQ(sensors->source(), "ROCm SMI");
  const auto second = sensors->read();
  EXPECT_EQ(second.sm_clock, 1500);
  EXPECT_EQ(second.memory_clock, 3000);
  EXPECT_EQ(second.temperature, -2);
  EXPECT_EQ(second.power, 99.5) << "the average, where there is no other";
}

TEST(RocmSmi, TellsOfTheDeviceAtItsAddress) { expect_told(STAND_IN_ROCM_SMI, 321); }
TEST(RocmSmi, TellsItInTheOlderForm) { expect_told(STAND_IN_OLD_ROCM_SMI, 99.5); }

TEST(RocmSmi, WhatADeviceDoesNotSupportIsUnknown) {
  const StandIn library("PODIUM_ROCM_SMI", STAND_IN_ROCM_SMI, "unsupported");
  expect_nothing_known(open_rocm_smi("0000:c1:00.0")->read());
}

TEST(RocmSmi, SaysWhyItCannotBeUsed) {
  const auto open = [](const std::string& pci) { return [pci] { open_rocm_smi(pci); }; };
  {
    const StandIn library("PODIUM_ROCM_SMI", STAND_IN_NOTHING);
    EXPECT_THAT(sentence(open("0000:c1:00.0")), HasSubstr("has no rsmi_init; a newer one is needed"));
  }
  {
    const StandIn library("PODIUM_ROCM_SMI", STAND_IN_ROCM_SMI, "refuse");
    EXPECT_THAT(sentence(open("0000:c1:00.0")), HasSubstr("did not start: status 8"));
  }
  const StandIn library("PODIUM_ROCM_SMI", STAND_IN_ROCM_SMI);
  EXPECT_THAT(sentence(open("0000:c1:00.1")), HasSubstr("does not know the device at 0000:c1:00.1"));
  EXPECT_EQ(sentence(open("0000:c1:00.0")), "") << "what failed has been shut down again";
}

TEST(RocmSmi, WhereNoLibraryIsAllNamesAreTold) {
  if (sentence([] { open_rocm_smi("0000:c1:00.0"); }).find("could not be loaded") == std::string::npos)
    GTEST_SKIP() << "this machine has ROCm SMI";
  EXPECT_THAT(sentence([] { open_rocm_smi("0000:c1:00.0"); }),
              HasSubstr("librocm_smi64.so or /opt/rocm/lib/librocm_smi64.so or"));
}

}  // namespace
}  // namespace podium::telemetry
