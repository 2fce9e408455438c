// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The energy of a call beside the time that ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/record/metrics.hpp"
#include "suite/report/render.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* first = "rows=4096,cols=32768";
constexpr const char* second = "rows=8192,cols=8192";

record::Measurement energy(double microjoules) {
  return {.numbers = {{"energy_uj", microjoules}, {"watts", 500}, {"calls", 9}}};
}

void add(sample::Run& run, const std::string& contestant, const std::string& workload,
         const record::Measurement& energy) {
  for (int round = 0; round < 7; ++round) {
    record::Entry entry{.stage = "bench",
                        .workload = workload,
                        .contestant = contestant,
                        .round = round,
                        .verdict = Verdict::right,
                        .microseconds = {400},
                        .median = sample::exactly(400)};
    if (round == 0) entry.measured[record::energy] = energy;
    run.entry(entry);
  }
}

sample::Run some() {
  sample::Run run;
  run.provenance().boards[0].workloads.push_back(second);
  run.baseline(500).baseline(500, second);
  add(run, "online", first, energy(200'000));
  add(run, "online", second, energy(50'000));
  add(run, "two_pass", first, energy(150'000));
  add(run, "two_pass", second, {.text = "the counter stood still"});
  return run;
}

const Row& row(const Report& report, const std::string& contestant) {
  const auto& rows = report.boards.at(0).rows;
  return *std::ranges::find(rows, contestant, &Row::contestant);
}

TEST(Energy, OfSeveralWorkloadsIsAMeanWhereAllHaveIt) {
  const Report report = report_of(some().get());
  EXPECT_NEAR(row(report, "online").metrics[record::energy].value(), 100'000, 1e-6);
  EXPECT_FALSE(row(report, "two_pass").metrics[record::energy]);
  EXPECT_EQ(row(report, "two_pass").timings.at(0).metrics[record::energy], 150'000);
  EXPECT_EQ(row(report, "two_pass").timings.at(0).metrics[record::watts], 500);
  EXPECT_FALSE(row(report, "two_pass").timings.at(1).metrics[record::energy]);
}

TEST(Energy, StandsInTheTable) {
  const std::string text = terminal(report_of(some().get()), {.columns = 200});
  EXPECT_THAT(text, testing::ContainsRegex("time.* energy"));
  EXPECT_THAT(text, testing::ContainsRegex("online .*400.0 µs.*100.0 mJ"));
  EXPECT_THAT(text, HasSubstr("idle power included"));
  EXPECT_THAT(text, HasSubstr("no energy of two_pass: the counter stood still"));
}

TEST(Energy, IsInJsonAndCsv) {
  const auto json = nlohmann::json::parse(render(some().get(), "json"));
  for (const auto& row : json.at("boards").at(0).at("rows")) {
    if (row.at("contestant") == "cudnn") {
      EXPECT_TRUE(row.at("energy_uj").is_null());
    }
    if (row.at("contestant") == "online") {
      EXPECT_NEAR(row.at("energy_uj"), 100'000, 1e-6);
      EXPECT_EQ(row.at("workloads").at(1).at("energy_uj"), 50'000);
      EXPECT_EQ(row.at("workloads").at(1).at("watts"), 500);
    }
    if (row.at("contestant") == "two_pass") {
      EXPECT_EQ(row.at("workloads").at(1).at("no_energy"), "the counter stood still");
    }
  }
  const std::string csv = render(some().get(), "csv");
  EXPECT_THAT(csv, HasSubstr(",power_w,energy_uj,watts,"));
  EXPECT_THAT(csv, HasSubstr(",50000,500,,,,,,\"One block a row, one pass\",,,0,,\n"));
}

// Whatever it takes, the rank is that of the times.
TEST(Energy, NeverRanks) {
  auto run = some();
  add(run, "sealed", first, energy(1));
  add(run, "sealed", second, energy(1));
  const Report report = report_of(run.get());
  EXPECT_EQ(row(report, "sealed").rank, row(report, "online").rank);
  EXPECT_EQ(row(report, "sealed").metrics[record::energy].value(), 1);
}

TEST(Energy, IsLeftOutWhereNobodyAskedForIt) {
  const std::string text = terminal(report_of(sample::Run().baseline(500).get()), {.columns = 200});
  EXPECT_THAT(text, Not(HasSubstr("energy")));
}

}  // namespace
}  // namespace podium::report
