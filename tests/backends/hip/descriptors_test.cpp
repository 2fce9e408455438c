// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a descriptor is handed over to be imported differs between versions of HIP: the backend asks the
// runtime for its version, and the emulator's stand-in for the runtime follows that of its headers.
#include <gtest/gtest.h>

#include <cstdint>

#include "emulators/amd/runtime/version.hpp"
#include "tests/backends/hip/runtime.hpp"

namespace podium::gpu {
namespace {

using hip::version;

constexpr int descriptor = 5;
constexpr int by_address[] = {version(6, 2), version(6, 4) + 43484, version(7, 0) + 99999};
constexpr int by_value[] = {version(7, 1), version(7, 2)};

void hand_over(int number) {
  runtime = {.version = number};
  hipMemGenericAllocationHandle_t allocation{};
  EXPECT_EQ(hip::import_descriptor(&allocation, descriptor), hipSuccess);
}

TEST(Descriptor, IsImportedByAddressBeforeHip7_1) {
  for (const int number : by_address) {
    hand_over(number);
    EXPECT_FALSE(runtime.by_value) << number;
    EXPECT_EQ(runtime.imported, descriptor) << number;
  }
}

TEST(Descriptor, IsImportedByValueFromHip7_1On) {
  for (const int number : by_value) {
    hand_over(number);
    EXPECT_TRUE(runtime.by_value) << number;
    EXPECT_EQ(runtime.imported, descriptor) << number;
  }
}

TEST(Descriptor, IsFoundByTheStandInAsItsVersionHasIt) {
  const int given = descriptor;
  for (const int number : by_address) EXPECT_EQ(amd::descriptor_of(&given, number), descriptor) << number;
  const auto* const itself = reinterpret_cast<const void*>(std::intptr_t{descriptor});
  for (const int number : by_value) EXPECT_EQ(amd::descriptor_of(itself, number), descriptor) << number;
}

TEST(Descriptor, StandInIsTheVersionOfItsHeaders) { EXPECT_EQ(amd::runtime_version, HIP_VERSION); }

}  // namespace
}  // namespace podium::gpu
