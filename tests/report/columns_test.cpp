// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Times that do not rank, beside those that do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "suite/record/metrics.hpp"
#include "suite/report/render.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using testing::HasSubstr;
using testing::Not;

record::Measurement column(double median) { return {.samples = {median}, .median = sample::exactly(median)}; }

// Rounds as sample::Run makes them, the first with further columns.
struct With {
  std::string contestant;
  double time = 0;
  record::Measurement hot, graph, end_to_end;
  std::string workload = "rows=4096,cols=32768";
  record::Measurement steady = {};
};
void add(sample::Run& run, const With& with) {
  for (int round = 0; round < 7; ++round) {
    record::Entry entry{.stage = "bench",
                        .workload = with.workload,
                        .contestant = with.contestant,
                        .round = round,
                        .verdict = Verdict::right,
                        .microseconds = {with.time},
                        .median = sample::exactly(with.time),
                        .bytes = 1e9,
                        .flops = 5e8};
    if (round == 0) {
      entry.measured[record::hot] = with.hot;
      entry.measured[record::graph] = with.graph;
      entry.measured[record::end_to_end] = with.end_to_end;
      entry.measured[record::steady] = with.steady;
    }
    run.entry(entry);
  }
}

sample::Run some() {
  sample::Run run;
  run.provenance().boards[0].empty_call = 1.25;
  run.baseline(500);
  add(run, {"online", 400, column(300), column(390), column(410)});
  add(run,
      {"two_pass", 450, column(440), {.text = "not capturable: its calls end the capture"}, column(470)});
  return run;
}

TEST(Columns, StandBesideTheTimeThatRanks) {
  const std::string text = terminal(report_of(some().get()), {.columns = 160});
  EXPECT_THAT(text, testing::ContainsRegex("% SOL +hot +graph +end to end"));
  EXPECT_THAT(text, testing::ContainsRegex("online .*400.0 µs.*300.0 µs  390.0 µs +410.0 µs"));
  EXPECT_THAT(text, testing::ContainsRegex("two_pass .*450.0 µs.*440.0 µs +– +470.0 µs"));
  EXPECT_THAT(text, HasSubstr("an empty call takes 1.250 µs: part of every time\n"));
  EXPECT_THAT(text,
              HasSubstr("two_pass has no time in a graph: not capturable: its calls end the capture\n"));
  EXPECT_THAT(text, Not(HasSubstr("online has no time in a graph")));
  EXPECT_THAT(text, HasSubstr("hot: inputs just written"));
}

// What two calls in a row cost each other is said where it is more than 2 %.
TEST(Columns, SteadyTimesAreSaidWhereTheyDiffer) {
  const auto with = [](double steady) {
    sample::Run run;
    run.baseline(500);
    add(run, {.contestant = "online", .time = 400, .steady = column(steady)});
    return terminal(report_of(run.get()), {.columns = 160});
  };
  EXPECT_THAT(with(440), HasSubstr("in a steady stream, each call also pays for writing what the previous "
                                   "call left in caches: online 440.0 µs (+10.0 %)"));
  EXPECT_THAT(with(407), Not(HasSubstr("steady")));
  sample::Run run;
  run.baseline(500);
  add(run, {.contestant = "online", .time = 400, .steady = column(440)});
  const auto json = nlohmann::json::parse(render(run.get(), "json"));
  EXPECT_EQ(json.at("boards").at(0).at("rows").at(0).at("workloads").at(0).at("steady_us"), 440);
}

// The median of all rounds; the first column to go where a table is too wide.
TEST(Columns, ConstructorsStandBesideCalls) {
  auto run = some();
  const std::array took{900, 70, 80, 75, 76, 78, 77};
  for (int round = 0; round < 7; ++round) {
    record::Entry entry{.stage = "bench",
                        .workload = "rows=4096,cols=32768",
                        .contestant = "planned",
                        .round = round,
                        .verdict = Verdict::right,
                        .microseconds = {300},
                        .median = sample::exactly(300),
                        .bytes = 1e9,
                        .flops = 5e8};
    entry.measured[record::constructor] = column(took[std::size_t(round)]);
    run.entry(entry);
  }
  const auto json = nlohmann::json::parse(render(run.get(), "json"));
  EXPECT_EQ(json.at("boards").at(0).at("rows").at(0).at("workloads").at(0).at("constructor_us"), 77);
  const Report report = report_of(run.get());
  EXPECT_THAT(terminal(report, {.columns = 240}), testing::ContainsRegex("planned .* 77.00 µs"));
  EXPECT_THAT(terminal(report, {.columns = 100}), Not(testing::ContainsRegex("planned .* 77.00 µs")));
}

// A contestant whose hot or replayed time is the best of all gains nothing by it.
TEST(Columns, NeverRank) {
  auto run = some();
  add(run, {"three", 600, column(1), column(1), column(1)});
  const Report report = report_of(run.get());
  const auto& rows = report.boards.at(0).rows;
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].contestant, "online");
  EXPECT_EQ(rows[3].contestant, "three");
  EXPECT_EQ(rows[3].rank, 4);
  EXPECT_EQ(rows[3].metrics[record::hot], 1);
}

// Of several workloads a mean, where each of them has the number.
TEST(Columns, AreMeansWhereAllWorkloadsHaveThem) {
  auto run = some();
  const std::string second = "rows=8192,cols=8192";
  run.provenance().boards[0].workloads.push_back(second);
  run.baseline(500, second);
  add(run, {"online", 400, column(1200), {.text = "not capturable: why"}, column(410), second});
  const Report report = report_of(run.get());
  const Row& online = report.boards.at(0).rows.at(0);
  ASSERT_EQ(online.contestant, "online");
  EXPECT_NEAR(online.metrics[record::hot].value(), 600, 1e-9);
  EXPECT_NEAR(online.metrics[record::end_to_end].value(), 410, 1e-9);
  EXPECT_FALSE(online.metrics[record::graph]);
  EXPECT_EQ(online.timings.at(0).metrics[record::graph], 390);
  EXPECT_EQ(online.timings.at(1).unmeasured[record::graph], "not capturable: why");
}

TEST(Columns, AreInJsonAndCsv) {
  const auto json = nlohmann::json::parse(render(some().get(), "json"));
  const auto& board = json.at("boards").at(0);
  EXPECT_EQ(board.at("empty_call_us"), 1.25);
  const auto& row = board.at("rows").at(0);
  EXPECT_NEAR(row.at("hot_us"), 300, 1e-9);
  EXPECT_EQ(row.at("workloads").at(0).at("graph_us"), 390);
  EXPECT_EQ(row.at("workloads").at(0).at("end_to_end_us"), 410);
  const auto& without = board.at("rows").at(1);
  EXPECT_TRUE(without.at("graph_us").is_null());
  EXPECT_EQ(without.at("workloads").at(0).at("no_graph"), "not capturable: its calls end the capture");
  EXPECT_THAT(render(some().get(), "csv"), HasSubstr(",300,390,410,,,"));
}

TEST(Columns, AreLeftOutWhereThereAreNone) {
  const std::string text = terminal(report_of(sample::Run().baseline(500).get()), {.columns = 160});
  for (const char* word : {"hot", "graph", "end to end", "empty call"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
  const auto json = nlohmann::json::parse(render(sample::Run().baseline(500).get(), "json"));
  EXPECT_TRUE(json.at("boards").at(0).at("empty_call_us").is_null());
}

}  // namespace
}  // namespace podium::report
