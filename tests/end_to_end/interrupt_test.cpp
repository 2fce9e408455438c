// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run that is ended by a signal: what was measured is shown, recorded, and said not to be all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

constexpr int interrupted = 130;

struct Ending : testing::TestWithParam<int> {};

TEST_P(Ending, KeepsWhatWasMeasured) {
  const Scratch scratch;
  Command command({"run", "sum", "--device", "host", "--quick", "--rounds", "1000", "--contestant", "serial",
                   "--results", scratch.results().string()});
  const auto timed = [&] {
    int entries = 0;
    for (const record::Run& run : scratch.runs())
      for (const record::Entry& entry : run.entries) entries += entry.round >= 0;
    return entries;
  };
  while (command.running() && timed() < 4) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto children = command.children();
  ASSERT_EQ(kill(command.pid(), GetParam()), 0);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.status, interrupted) << ended.err;
  const std::string name = std::string("SIG") + sigabbrev_np(GetParam());
  EXPECT_THAT(ended.err, HasSubstr("podium: ended by " + name));
  EXPECT_THAT(ended.err, HasSubstr("recorded in "));
  EXPECT_THAT(ended.out, HasSubstr("ended early: ended by " + name));
  EXPECT_THAT(ended.out, HasSubstr("serial"));
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_GE(timed(), 4);
  const auto& provenance = runs[0].provenance;
  EXPECT_EQ(provenance.at("ended"), "ended by " + name);
  EXPECT_GT(provenance.at("wall_seconds").get<double>(), 0);
  EXPECT_GT(provenance.at("spent").at("calls").get<double>(), 0);
  EXPECT_FALSE(provenance.at("secrets").empty());
  EXPECT_TRUE(fs::exists(runs[0].folder / "report.md"));
  EXPECT_FALSE(children.empty());
  for (const pid_t child : children) EXPECT_NE(kill(child, 0), 0) << "still lives: " << child;
}

INSTANTIATE_TEST_SUITE_P(Signals, Ending, testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& info) { return std::string(sigabbrev_np(info.param)); });

TEST(Killed, IsSaidByTheReport) {
  const Scratch scratch;
  Command command({"run", "sum", "--device", "host", "--quick", "--rounds", "1000", "--contestant", "serial",
                   "--results", scratch.results().string()});
  while (command.running() && (scratch.runs().empty() || scratch.runs()[0].entries.empty()))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(command.pid(), SIGKILL);
  command.wait();
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(podium({"report", runs[0].folder.string()}).out,
              HasSubstr("ended early: its end is not recorded"));
}

}  // namespace
}  // namespace podium::test
