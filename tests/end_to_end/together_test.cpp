// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls timed several at a time: a lie that one call hides is found, and all that was measured is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

constexpr double hidden = 170;  // microseconds that short_clock.cpp takes off every call

constexpr double quiet = 2 * hidden;  // of the tolerance, in which several calls still show it

std::vector<std::string> arguments_of(const Scratch& scratch, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{
      "run", "sum", "--device", "host", "--quick", "--rounds", "7", "--results", scratch.results().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

record::Run run_with(const Scratch& scratch, const std::vector<std::string>& more) {
  const auto ended = podium(arguments_of(scratch, more));
  const auto runs = scratch.runs();
  if (runs.empty()) throw std::runtime_error(ended.err);
  return runs.back();
}

// A machine that was calm at the start and no longer is may say that it cannot tell; never that all is well.
bool caught(const record::Run& run) {
  return find(run, "short_clock", "clock") || find(run, "short_clock", "not attested");
}

bool looked_at(const record::Run& run) {
  return std::ranges::any_of(run.entries, [](const record::Entry& entry) {
    return entry.contestant == "short_clock" && entry.together.calls > 1;
  });
}

fs::path short_clock() { return fs::path(PODIUM_SOURCE_DIR) / "tests/cheats/sum/short_clock.cpp"; }

// More threads that compute than there are processors.
class Load {
 public:
  Load() {
    for (unsigned n = 0; n < 2 * std::thread::hardware_concurrency(); ++n)
      threads_.emplace_back([](const std::stop_token& stop) {
        for (volatile unsigned work = 0; !stop.stop_requested();) work = work + 1;
      });
  }

 private:
  std::vector<std::jthread> threads_;
};

bool has_times(const Scratch& scratch) {
  for (const record::Run& run : scratch.runs())
    for (const record::Entry& entry : run.entries)
      if (entry.round >= 0) return true;
  return false;
}

double tolerance_of(const record::Run& run) { return run.provenance.at("boards").at(0).at("tolerance"); }

TEST(Together, FindsAClockThatLosesLessThanOneCallShows) {
  constexpr int attempts = 3;
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const record::Run run = run_with(scratch, {"--contestant", short_clock()});
    tolerance = tolerance_of(run);
    if (tolerance > quiet) continue;
    EXPECT_TRUE(caught(run)) << "tolerance " << tolerance;
    EXPECT_EQ(find(run, "threads", "clock"), nullptr) << "an honest one was doubted";
    return;
  }
  GTEST_SKIP() << "the machine is too busy: the judge's clock scatters by " << tolerance << " µs";
}

// What is measured anew while the machine is busy scatters, and the lie would fit into it.
TEST(Together, LoadThatBeginsLaterExcusesNothing) {
  const Scratch scratch;
  Command command(arguments_of(scratch, {"--contestant", short_clock()}));
  while (command.running() && !has_times(scratch)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::optional<Load> load(std::in_place);
  const Ended ended = command.wait();
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  if (tolerance_of(runs[0]) > quiet)
    GTEST_SKIP() << "the machine was busy before: the judge's clock scatters by " << tolerance_of(runs[0])
                 << " µs";
  if (!caught(runs[0]) && !looked_at(runs[0]))
    GTEST_SKIP() << "under this load calls took so long that none was looked at together with others";
  EXPECT_TRUE(caught(runs[0])) << "tolerance " << tolerance_of(runs[0]);
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
    EXPECT_GT(entry.hot.median.value, 0);
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
