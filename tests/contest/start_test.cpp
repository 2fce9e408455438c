// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge whose shared libraries are not on the machine: a driver's runtime that was removed, or never there.
#include <gmock/gmock.h>

#include "suite/contest/session.hpp"
#include "tests/paths.hpp"

namespace podium::contest {
namespace {

TEST(Start, AJudgeThatLacksALibraryIsNoDeviceAndSaysWhatToDo) {
  try {
    const std::string judge = test::binary_dir() + "/tests/contest/judge_without_library";
    const Session session({judge, judge}, 0, {});
    FAIL() << "it started";
  } catch (const Error& e) {
    EXPECT_EQ(e.fault(), Fault::device);
    EXPECT_THAT(e.what(),
                testing::MatchesRegex(".*judge_without_library does not start: a library that it was "
                                      "linked with is missing; `ldd .*judge_without_library` says which"
                                      ": install it, or add its folder to LD_LIBRARY_PATH"));
  }
}

}  // namespace
}  // namespace podium::contest
