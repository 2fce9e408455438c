// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/devices.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "suite/protocol/protocol.hpp"

namespace podium::cli {
namespace {

TEST(DeviceName, ItsWordsOpenItAgain) {
  for (const std::string name : {"host", "cuda:0", "hip:3", "cuda:emulated:sm_90a", "hip:emulated:gfx942"})
    EXPECT_EQ(parse_device(name).words(), "--device " + name);
  EXPECT_EQ(parse_device("cuda").words(), "--device cuda:0");
}

TEST(DeviceName, ItsWordsOrderAsynchronousOperationsAgain) {
  device::set_asynchrony("random:7", device::Emulated{"cuda", "sm_80"});
  EXPECT_EQ(parse_device("cuda:emulated:sm_80").words(), "--device cuda:emulated:sm_80 --async random:7");
  EXPECT_EQ(parse_device("cuda:1").words(), "--device cuda:1");
  unsetenv("PODIUM_EMULATED_ASYNC");
  EXPECT_EQ(parse_device("cuda:emulated:sm_80").words(), "--device cuda:emulated:sm_80");
}

// Whatever it is called.
TEST(DeviceName, TimesOfAnEmulatedDeviceAreRefused) {
  protocol::Opened opened{};
  protocol::put(opened.product, "NVIDIA H200 (emulated)");
  EXPECT_NO_THROW(refuse_times(opened, "podium run"));
  protocol::put(opened.product, "NVIDIA H200");
  opened.emulated = 1;
  EXPECT_THROW(refuse_times(opened, "podium run"), Error);
}

}  // namespace
}  // namespace podium::cli
