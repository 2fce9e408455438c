// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a contestant whose times the judge's clock does not bear out: with times of the test's own
// (bent_times.cpp), whatever the machine does meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "suite/record/metrics.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/copy_problem.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

constexpr const char* contestant = R"c(// podium: { title: "A loop" }
#include <podium/copy.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = args.x.data[i];
  }
};
}  // namespace
)c";

class BentTimes : public testing::Test {
 protected:
  BentTimes() {
    scratch_.write("kernels/copy/problem.yaml", copy_problem(1000) + "baseline: { host: loop }\n");
    scratch_.write("kernels/copy/loop.cpp", contestant);
  }

  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer's library has to be loaded before any other";
#endif
  }

  void run(const std::string& times, const std::string& lies = "always", bool columns = false) {
    setenv("LD_PRELOAD", (binary_dir() + "/tests/end_to_end/libbent_times.so").c_str(), 1);
    setenv("PODIUM_BENT_TIMES", (times + " " + lies).c_str(), 1);
    std::vector<std::string> arguments{"run",
                                       "copy",
                                       "--device",
                                       "host",
                                       "--quick",
                                       "--rounds",
                                       "3",
                                       "--problems",
                                       (scratch_.path() / "kernels").string(),
                                       "--results",
                                       scratch_.results().string()};
    if (!columns) arguments.push_back("--cold-only");
    ended_ = podium(arguments);
    unsetenv("LD_PRELOAD");
    unsetenv("PODIUM_BENT_TIMES");
    const auto runs = scratch_.runs();
    ASSERT_EQ(runs.size(), 1u) << ended_.err;
    for (const record::Entry& entry : runs[0].entries)
      if (entry.round >= 0 && !entry.twin) rounds_.push_back(entry);
    std::ranges::sort(rounds_, {}, &record::Entry::round);
  }

  // Its last round is the first of these, and it says why.
  void expect_accused_in(int round) {
    ASSERT_EQ(rounds_.size(), static_cast<std::size_t>(round) + 1) << ended_.out;
    EXPECT_EQ(rounds_.back().verdict.word(), "clock");
    EXPECT_THAT(rounds_.back().text, HasSubstr("by the judge's clock"));
    EXPECT_EQ(ended_.status, 1);
  }

  Scratch scratch_;
  Ended ended_;
  std::vector<record::Entry> rounds_;
};

constexpr double second = 1e6;  // microseconds; tens of them no process here waits for a processor

TEST_F(BentTimes, AreBelievedWhereTheJudgesClockBearsThemOut) {
  run("500 0 0 0 0");
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  for (const auto& entry : rounds_) {
    EXPECT_EQ(entry.verdict.word(), "right");
    EXPECT_FALSE(entry.judged);
    EXPECT_EQ(entry.median.value, 500);
  }
  EXPECT_GE(rounds_.front().together.calls, 4) << "a short call is looked at, several behind one gate";
  EXPECT_EQ(ended_.status, 0);
}

TEST_F(BentTimes, ThatLeaveOutTheWorkAreNot) {
  run(std::to_string(60 * second) + " " + std::to_string(40 * second) + " 0 0 0");
  expect_accused_in(0);
}

TEST_F(BentTimes, ThatBeginToLieLaterAreFoundThen) {
  run(std::to_string(60 * second) + " " + std::to_string(40 * second) + " 2 0 0");
  expect_accused_in(2);
}

// 190 µs are less than what may be lost over one call, and nearly four times as much over four. They are also
// as little as an honest process may have waited, so that it may be left at the judge's times.
TEST_F(BentTimes, ThatLeaveOutLessThanOneCallShowsAreNoRanksBasis) {
  run("500 190 1 0 0");
  ASSERT_GE(rounds_.size(), 2u) << ended_.out;
  EXPECT_EQ(rounds_[0].median.value, 500);
  for (std::size_t k = 1; k < rounds_.size(); ++k)
    if (rounds_[k].verdict.word() != "clock") {
      EXPECT_TRUE(rounds_[k].judged);
      EXPECT_EQ(rounds_[k].median.value, 500) << "by the judge's clock, less its overhead";
    }
}

// Who takes longer from the moment on in which several calls were behind one gate, alone too, may lie until
// it is looked at, or be honest on a machine that has changed: nobody is accused, and nobody gains.
TEST_F(BentTimes, ThatNoCallInBetweenRepeatsAreTheJudges) {
  run("500 190 1 0 0", "until-looked-at");
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  for (const int lying : {1, 2}) {
    EXPECT_EQ(rounds_[static_cast<std::size_t>(lying)].verdict.word(), "right");
    EXPECT_TRUE(rounds_[static_cast<std::size_t>(lying)].judged);
    EXPECT_EQ(rounds_[static_cast<std::size_t>(lying)].median.value, 500) << "and not 310";
  }
  EXPECT_EQ(ended_.status, 0);
}

// Columns are the worker's word alone.
TEST_F(BentTimes, ThatAreTheJudgesHaveNoColumnsBeside) {
  run("500 190 0 0 0", "until-looked-at", true);
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  EXPECT_TRUE(rounds_[0].judged);
  EXPECT_TRUE(rounds_[0].measured[record::hot].samples.empty());
  EXPECT_THAT(rounds_[0].measured[record::hot].text, HasSubstr("left out: the judge's clock"));
}

TEST_F(BentTimes, ThatAreBelievedHaveColumnsBeside) {
  run("500 0 0 0 0", "always", true);
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  EXPECT_FALSE(rounds_[0].measured[record::hot].samples.empty());
}

// Nobody can tell hidden work from a machine that has become slower to answer, for the empty contestant, too:
// nobody is accused, and the judge's times count.
TEST_F(BentTimes, OfAMachineThatBecomesBusyAreTheJudges) {
  run("500 0 0 400 2");
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  for (const int calm : {0, 1}) {
    EXPECT_FALSE(rounds_[static_cast<std::size_t>(calm)].judged);
  }
  EXPECT_EQ(rounds_[2].verdict.word(), "right");
  EXPECT_TRUE(rounds_[2].judged);
  EXPECT_EQ(rounds_[2].median.value, 900);
  EXPECT_THAT(ended_.out, HasSubstr("judge's clock"));
  EXPECT_EQ(ended_.status, 0);
}

// And a lie does not hide behind it.
TEST_F(BentTimes, OfALiarOnABusyMachineAreTheJudges) {
  run("500 400 2 400 2");
  ASSERT_EQ(rounds_.size(), 3u) << ended_.out;
  EXPECT_EQ(rounds_[2].median.value, 900);
  EXPECT_TRUE(rounds_[2].judged);
}

}  // namespace
}  // namespace podium::test
