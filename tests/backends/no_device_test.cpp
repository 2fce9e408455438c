// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Without a device a user reads one sentence, and scripts get their own exit status.
#include <gmock/gmock.h>

#include "suite/base/error.hpp"
#include "suite/device/lane.hpp"

namespace podium::test {
namespace {

TEST(NoDevice, IsOneSentenceAndAStatusOfItsOwn) {
  const auto say = [](const auto& open) {
    try {
      open();
    } catch (const Error& e) {
      EXPECT_EQ(e.fault(), Fault::device);
      EXPECT_THAT(e.what(), testing::MatchesRegex("no (NVIDIA|AMD) GPU can be used \\(.+\\): [^\n]+"));
      return false;
    }
    return true;
  };
  alignas(4096) static std::byte memory[4096];
  if (say([] { device::open(0); })) GTEST_SKIP() << "this machine has a device";
  EXPECT_FALSE(say([] { device::open_lane(0, *reinterpret_cast<device::Page*>(memory)); }));
}

}  // namespace
}  // namespace podium::test
