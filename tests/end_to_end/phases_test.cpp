// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant that hangs is told in what, and setting it up has a limit of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/copy_problem.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Sleeps so long where `when` names a place.
std::string contestant(const std::string& when, int seconds) {
  return R"c(// podium: { title: "A loop" }
#include <podium/copy.hpp>
#include <chrono>
#include <string_view>
#include <thread>
namespace {
bool sleep(std::string_view place) {
  if (place == ")c" +
         when + R"c(") std::this_thread::sleep_for(std::chrono::seconds()c" + std::to_string(seconds) +
         R"c());
  return true;
}
bool loaded = sleep("loading");
struct Contestant {
  int calls = 0;
  Contestant() { sleep("constructor"); }
  ~Contestant() { sleep("destructor"); }
  void run(const problem::Arguments& args, podium::Stream) {
    sleep(calls++ == 0 ? "warm-up call" : "call");
    for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = args.x.data[i];
  }
};
}  // namespace
)c";
}

Ended verify(const Scratch& scratch, const std::string& when, int seconds, std::vector<std::string> more) {
  scratch.write("kernels/copy/problem.yaml", copy_problem(10));
  scratch.write("kernels/copy/sleeps.cpp", contestant(when, seconds));
  std::vector<std::string> arguments{"verify", "copy",       "--device",
                                     "host",   "--problems", scratch.path() / "kernels"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return podium(arguments);
}

TEST(Phases, AreNamedWhereAContestantHangs) {
  constexpr int for_ever = 3600;
  for (const char* phase : {"loading", "constructor", "warm-up call"}) {
    const Scratch scratch;
    const auto ended = verify(scratch, phase, for_ever, {"--timeout", "100", "--setup-timeout", "2"});
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_THAT(ended.out, AllOf(HasSubstr("hung"), HasSubstr(std::string(phase) + ": no answer in 2 s")));
  }
  for (const char* phase : {"call", "destructor"}) {
    const Scratch scratch;
    const auto ended = verify(scratch, phase, for_ever, {"--timeout", "3"});
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_THAT(ended.out, AllOf(HasSubstr("hung"), HasSubstr(std::string(phase) + ": no answer in 3 s")));
  }
}

TEST(Phases, AConstructorMayTakeLongerThanACall) {
  const Scratch scratch;
  const auto ended = verify(scratch, "constructor", 6, {"--timeout", "4"});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
}

}  // namespace
}  // namespace podium::test
