// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls timed several at a time: a lie that one call hides is found, and all that was measured is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

constexpr double hidden = 170;  // microseconds that short_clock.cpp takes off every call

record::Run run_with(const Scratch& scratch, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{
      "run", "sum", "--device", "host", "--quick", "--rounds", "7", "--results", scratch.results().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto ended = podium(arguments);
  const auto runs = scratch.runs();
  if (runs.empty()) throw std::runtime_error(ended.err);
  return runs.back();
}

double tolerance_of(const record::Run& run) { return run.provenance.at("boards").at(0).at("tolerance"); }

TEST(Together, FindsAClockThatLosesLessThanOneCallShows) {
  const std::string cheat = fs::path(PODIUM_SOURCE_DIR) / "tests/cheats/sum/short_clock.cpp";
  constexpr double quiet = 2 * hidden;  // of the tolerance, in which eight calls still show it
  constexpr int attempts = 3;
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const record::Run run = run_with(scratch, {"--contestant", cheat});
    tolerance = tolerance_of(run);
    if (tolerance > quiet) continue;
    EXPECT_NE(find(run, "short_clock", "clock"), nullptr);
    EXPECT_EQ(find(run, "threads", "clock"), nullptr) << "an honest one was doubted";
    return;
  }
  GTEST_SKIP() << "the machine is too busy: the judge's clock scatters by " << tolerance << " µs";
}

// Once for each contestant and workload, whatever the round; columns in the first.
TEST(Together, IsRecordedBesideTheColumns) {
  const Scratch scratch;
  const record::Run run = run_with(scratch, {"--contestant", "threads"});
  int together = 0, hot = 0;
  for (const record::Entry& entry : run.entries) {
    if (entry.round < 0 || entry.verdict != "right") continue;
    together += entry.together.calls > 1;
    EXPECT_EQ(entry.together.microseconds.size(), entry.together.judge_microseconds.size());
    hot += !entry.hot.microseconds.empty();
    if (entry.hot.microseconds.empty()) {
      EXPECT_EQ(entry.graph.text, "") << "round " << entry.round;
      continue;
    }
    EXPECT_EQ(entry.round, 0);
    EXPECT_FALSE(entry.twin);
    EXPECT_GE(entry.hot.microseconds.size(), 5u);
    EXPECT_GT(entry.hot.median, 0);
    EXPECT_THAT(entry.graph.text, testing::HasSubstr("a CPU has no graphs"));
    EXPECT_NE(entry.end_to_end.text, "");
  }
  EXPECT_EQ(hot, 2) << "one a workload";
  // One a workload, not of the twin; none of a call that a busy machine makes a long one.
  EXPECT_GE(together, 1);
  EXPECT_LE(together, 2);
  const auto& board = run.provenance.at("boards").at(0);
  EXPECT_GE(board.at("empty_call").get<double>(), 0);
  EXPECT_GT(board.at("judge_overhead").get<double>(), 0);
  EXPECT_GE(tolerance_of(run), 200);
}

TEST(Together, ColdOnlyLeavesTheColumnsOut) {
  const Scratch scratch;
  const record::Run run = run_with(scratch, {"--contestant", "threads", "--cold-only"});
  for (const record::Entry& entry : run.entries) {
    EXPECT_TRUE(entry.hot.microseconds.empty());
    EXPECT_EQ(entry.graph.text, "");
  }
}

}  // namespace
}  // namespace podium::test
