// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device that workers cannot open in their sandbox, though the judge can: said once, of no contestant.
#include "suite/contest/device_access.hpp"

#include <gmock/gmock.h>

#include "suite/base/error.hpp"
#include "tests/contest/sandbox_fixture.hpp"

namespace podium::contest {
namespace {

using namespace sandbox;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Executables trespasser{.judge = {}, .worker = trespassing_program()};
enum Device { opens, refuses, crashes, sees };  // what it does with a device of that number

TEST(DeviceAccess, IsGranted) {
  EXPECT_EQ(access_to(trespasser, {opens}).closed, "");
  EXPECT_NO_THROW(require_open(trespasser, {opens}));
}

TEST(DeviceAccess, IsRefusedInTheWordsOfTheDriver) {
  EXPECT_EQ(access_to(trespasser, {refuses}).closed, "no GPU can be used");
  EXPECT_EQ(access_to(trespasser, {crashes}).closed, "crashed: SIGSEGV");
  EXPECT_THROW(require_open(trespasser, {refuses}), Error);
}

TEST(DeviceAccess, TheMeansToBlameIsNamed) {
  if (const auto why = not_granted({Means::processes, Means::uid}); !why.empty()) GTEST_SKIP() << why;
  EXPECT_THAT(access_to(trespasser, {sees}).closed,
              AllOf(HasSubstr("process 1 is not seen; it can with PODIUM_SANDBOX_WITHOUT="),
                    HasSubstr("hidden processes"), Not(HasSubstr("seccomp"))));
}

}  // namespace
}  // namespace podium::contest
