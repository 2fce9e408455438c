// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is told of the device while it timed: by hand-made entries.
#include "suite/report/conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/report/render.hpp"
#include "suite/report/table.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// An entry of `contestant` in a round, its ten samples at `clock`.
record::Entry entry(const std::string& contestant, int round, double clock, int discarded, int slow) {
  record::Entry entry{
      .stage = "bench",
      .workload = "rows=4096,cols=32768",
      .contestant = contestant,
      .round = round,
      .verdict = Verdict::right,
      .clock_mhz = std::vector(10, clock),
      .reference_mhz = 1980,
      .discarded = discarded,
      .slow = slow,
      .median = {.value = 250.0 + round},
      .telemetry = {.source = "NVML",
                    .end = {.temperature_c = 50.0 + round, .power_w = 400.0 + round},
                    .counters = record::Counters{.seconds = 0.2, .sm_active_percent = 60.0 + round}}};
  for (int k = 0; k < 10; ++k) entry.microseconds.push_back(250 + k * 7 % 10);
  return entry;
}

sample::Run run_with(int discarded, int slow) {
  sample::Run run;
  run.baseline(500);
  for (int round = 0; round < 7; ++round)
    run.entry(entry("online", round, 1900, round == 3 ? discarded : 0, round < 2 ? slow : 0));
  return run;
}

BoardReport board_of(const sample::Run& run) { return report_of(run.get()).boards.at(0); }

const Row& row(const BoardReport& board, const std::string& contestant) {
  return *std::ranges::find(board.rows, contestant, &Row::contestant);
}

TEST(Conditions, MediansOverSamplesAndOverEntriesAtTheirEnds) {
  const record::Entry cold = entry("a", 0, 1980, 1, 0), warm = entry("a", 8, 0, 2, 3);
  const Conditions got = conditions_of({&cold, &warm});
  EXPECT_EQ(got.clock_mhz, 1980) << "unknown ones do not count";
  EXPECT_EQ(got.temperature_c, 54);
  EXPECT_EQ(got.power_w, 404);
  EXPECT_EQ(got.samples, 20);
  EXPECT_EQ(got.discarded, 3);
  EXPECT_EQ(got.slow, 3);
  const Conditions none = conditions_of({});
  EXPECT_FALSE(none.clock_mhz || none.temperature_c || none.power_w);
  EXPECT_FALSE(none.throttled());
}

TEST(Conditions, AHeldClockIsNotTalkedOf) {
  const BoardReport board = board_of(run_with(0, 0));
  EXPECT_FALSE(row(board, "online").throttled);
  EXPECT_THAT(footnotes(board), Not(Contains(HasSubstr("clock"))));
}

TEST(Conditions, DiscardedSamplesAreSaidUnderTheBoard) {
  const BoardReport board = board_of(run_with(3, 0));
  EXPECT_EQ(board.conditions.samples, 70 + 14) << "the baseline's and its twin's, of one sample each";
  EXPECT_FALSE(row(board, "online").throttled);
  EXPECT_THAT(
      footnotes(board),
      Contains(
          "of 87 samples 3 (3.4 %) were taken again: the device's clock had fallen below 75 % of 1980 MHz"));
}

TEST(Conditions, ARowWhoseClockWasNotHeldSaysSo) {
  const BoardReport board = board_of(run_with(6, 2));  // 4 of 70: 5.7 %
  EXPECT_TRUE(row(board, "online").throttled);
  EXPECT_FALSE(row(board, "cudnn").throttled);
  EXPECT_EQ(row(board, "online").standing, Standing::ranked) << "it is timed, and ranked";
  EXPECT_THAT(footnotes(board), Contains(HasSubstr("throttled: the device did not hold its clock")));
  const std::string table = render(run_with(6, 2).get(), "md");
  EXPECT_THAT(table, HasSubstr("| throttled |"));

  const BoardReport fewer = board_of(run_with(6, 1));  // 2 of 70: 2.9 %
  EXPECT_FALSE(row(fewer, "online").throttled);
  EXPECT_THAT(footnotes(fewer), Not(Contains(HasSubstr("did not hold"))));
}

TEST(Conditions, AreInJsonAndCsv) {
  const auto json = nlohmann::json::parse(render(run_with(3, 0).get(), "json"));
  const auto& board = json.at("boards").at(0);
  EXPECT_EQ(board.at("conditions").at("reference_mhz"), 1980);
  EXPECT_EQ(board.at("conditions").at("discarded"), 3);
  const auto& online = board.at("rows").at(0);
  ASSERT_EQ(online.at("contestant"), "online");
  EXPECT_EQ(online.at("throttled"), false);
  const auto& workload = online.at("workloads").at(0);
  EXPECT_EQ(workload.at("clock_mhz"), 1900);
  EXPECT_EQ(workload.at("temperature_c"), 53);
  EXPECT_EQ(workload.at("power_w"), 403);
  EXPECT_EQ(workload.at("sm_active_percent"), 63);
  EXPECT_TRUE(workload.at("tensor_active_percent").is_null()) << "not known";
  EXPECT_EQ(workload.at("samples"), 70);
  EXPECT_TRUE(board.at("rows").at(1).at("workloads").at(0).at("clock_mhz").is_null()) << "not known";

  const std::string csv = render(run_with(3, 0).get(), "csv");
  EXPECT_THAT(csv, HasSubstr("verdict,text,clock_mhz,temperature_c,power_w,"));
  EXPECT_THAT(csv, HasSubstr(",1900,53,403,"));
}

TEST(Conditions, ARowWithTimesByTheJudgesClockSaysSo) {
  EXPECT_FALSE(row(board_of(run_with(0, 0)), "online").judged);
  sample::Run run = run_with(0, 0);
  record::Entry judged = entry("online", 7, 1900, 0, 0);
  judged.judged = true;
  const record::Run got = run.entry(judged).get();
  const BoardReport board = report_of(got).boards.at(0);
  EXPECT_TRUE(row(board, "online").judged);
  EXPECT_FALSE(row(board, "cudnn").judged);
  EXPECT_EQ(row(board, "online").standing, Standing::ranked);
  EXPECT_THAT(footnotes(board), Contains(HasSubstr("judge's clock: the machine was too busy")));
  EXPECT_THAT(render(got, "md"), HasSubstr("| judge's clock |"));
  const auto json = nlohmann::json::parse(render(got, "json"));
  EXPECT_EQ(json.at("boards").at(0).at("rows").at(0).at("judged"), true);
}

}  // namespace
}  // namespace podium::report
