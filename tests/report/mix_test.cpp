// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Several runs in one report: shards become one, and what does not compare is refused or left out.
#include "suite/report/mix.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "suite/base/error.hpp"
#include "suite/report/render.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using testing::HasSubstr;

// `problem` with the baseline cudnn and `contestant`, each run twice as fast as the one before.
record::Run run_of(const std::string& problem, const std::string& contestant = "online", int day = 1,
                   const std::function<void(record::Provenance&)>& change = nullptr) {
  record::Provenance provenance = sample::provenance();
  provenance.started = fmt::format("2025-01-{:02}T13:45:00Z", day);
  provenance.boards[0].problem = problem;
  provenance.boards[0].sha256 = "one";
  for (auto& one : provenance.contestants) one.problem = problem;
  if (change) change(provenance);
  sample::Run run(provenance);
  const auto timed = [&](const std::string& name, double time, bool twin) {
    for (int round = 0; round < 7; ++round) {
      record::Entry entry{.problem = problem,
                          .types = "f32",
                          .stage = "bench",
                          .workload = "rows=4096,cols=32768",
                          .contestant = name,
                          .twin = twin,
                          .round = round,
                          .verdict = Verdict::right,
                          .microseconds = {time}};
      entry.median = sample::exactly(time * (1 + 0.001 * round));
      run.entry(entry);
    }
  };
  timed("cudnn", 10, false);
  timed("cudnn", 10, true);
  timed(contestant, 10.0 / (1 + day), false);
  return run.get();
}

Mixture mixture(const std::vector<record::Run>& runs, bool named) {
  std::vector<MixedRun> mixed;
  for (std::size_t i = 0; i < runs.size(); ++i)
    mixed.push_back({.name = fmt::format("run{}", i), .run = &runs[i], .named = named});
  return mix(mixed);
}

std::string refusal(const std::vector<record::Run>& runs) {
  try {
    mixture(runs, true);
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    return e.what();
  }
  return "mixed without complaint";
}

TEST(Mix, ShardsBecomeOneReportWithOneOverallTable) {
  for (const bool named : {true, false}) {
    const Mixture all = mixture({run_of("softmax"), run_of("sum", "online", 2)}, named);
    ASSERT_EQ(all.reports.size(), 1U);
    EXPECT_TRUE(all.left_out.empty());
    const Report& report = all.reports[0].report;
    ASSERT_EQ(report.boards.size(), 2U);
    EXPECT_EQ(report.boards[0].run, "run0");
    EXPECT_EQ(report.boards[1].run, "run1");
    EXPECT_FALSE(report.boards[0].apart);
    EXPECT_EQ(report.parts.size(), 2U);
    ASSERT_EQ(report.overall.size(), 1U);
    EXPECT_EQ(report.overall[0].problems, 2);
    EXPECT_EQ(report.overall[0].wins.won, 2);
    EXPECT_EQ(report.provenance.started, "2025-01-02T13:45:00Z") << "of the newest";
    EXPECT_EQ(all.reports[0].run.entries.size(), 2U * 21);
    const std::string page = markdown(report);
    EXPECT_THAT(page, HasSubstr("| run0 | 2025-01-01T13:45:00Z |"));
    EXPECT_THAT(page, HasSubstr("run run1"));
    EXPECT_THAT(render(all.reports[0].run, report, "csv"), HasSubstr(",run1,0,,\n"));
  }
}

TEST(Mix, OneRunIsReportedAsByItself) {
  const std::vector<record::Run> runs{run_of("softmax")};
  const Mixture one = mixture(runs, true);
  ASSERT_EQ(one.reports.size(), 1U);
  EXPECT_EQ(markdown(one.reports[0].report), markdown(report_of(runs[0])));
  EXPECT_EQ(json_text(one.reports[0].report), json_text(report_of(runs[0])));
}

TEST(Mix, DevicesHaveAReportEach) {
  const auto other = [](record::Provenance& p) { p.device.product = "NVIDIA H100"; };
  const Mixture all = mixture({run_of("softmax"), run_of("softmax", "online", 2, other)}, true);
  ASSERT_EQ(all.reports.size(), 2U);
  EXPECT_EQ(all.reports[0].report.boards.size(), 1U);
  EXPECT_TRUE(all.reports[0].report.parts.empty());
}

TEST(Mix, RunsOfOneBoardAreNeverRankedTogether) {
  const Mixture all = mixture({run_of("softmax", "online", 1), run_of("softmax", "two_pass", 2)}, false);
  ASSERT_EQ(all.reports.size(), 1U);
  const Report& report = all.reports[0].report;
  ASSERT_EQ(report.boards.size(), 2U);
  EXPECT_EQ(report.boards[0].run, "run1") << "newest first";
  for (const BoardReport& board : report.boards) {
    EXPECT_TRUE(board.apart);
    EXPECT_EQ(board.rows.size(), 2U) << "the baseline, and the contestant of that run";
    EXPECT_EQ(board.rows[0].rank, 1);
  }
  EXPECT_THAT(markdown(report), HasSubstr("one of several tables of this board"));
  ASSERT_EQ(report.overall.size(), 2U) << "each has beaten the baseline of its own run";
  EXPECT_EQ(report.overall[0].boards, 1);
}

TEST(Mix, AContestantCountsOnceABoardInTheNewestTable) {
  const std::vector<record::Run> runs{run_of("softmax", "online", 1), run_of("softmax", "online", 2)};
  const Mixture found = mixture(runs, false);
  ASSERT_EQ(found.reports[0].report.boards.size(), 1U);
  EXPECT_EQ(found.reports[0].report.boards[0].run, "run1");
  ASSERT_EQ(found.left_out.size(), 1U);
  EXPECT_THAT(found.left_out[0], HasSubstr("run0: a table is left out: newer runs have measured"));
  const Mixture named = mixture(runs, true);
  EXPECT_EQ(named.reports[0].report.boards.size(), 2U) << "whoever names both sees both";
  ASSERT_EQ(named.reports[0].report.overall.size(), 1U);
  EXPECT_EQ(named.reports[0].report.overall[0].boards, 1);
}

TEST(Mix, AnotherBaselineDoesNotCount) {
  const auto other = [](record::Provenance& p) {
    for (auto& one : p.contestants)
      if (one.name == "cudnn") one.sha256 = "another";
  };
  const Mixture all =
      mixture({run_of("softmax", "online", 1, other), run_of("softmax", "two_pass", 2)}, true);
  ASSERT_EQ(all.reports[0].report.overall.size(), 1U);
  EXPECT_EQ(all.reports[0].report.overall[0].contestant, "two_pass");
}

TEST(Mix, AnotherRevisionOfAProblemIsRefusedOrLeftOut) {
  const auto other = [](record::Provenance& p) { p.boards[0].sha256 = "two"; };
  const std::vector<record::Run> runs{run_of("softmax", "online", 1, other), run_of("softmax", "two_pass", 2),
                                      run_of("sum")};
  EXPECT_THAT(refusal(runs), HasSubstr("run0 and run1 measured different revisions of softmax"));
  EXPECT_THAT(refusal(runs), HasSubstr("report them one at a time"));
  const Mixture found = mixture(runs, false);
  ASSERT_EQ(found.reports[0].report.boards.size(), 2U);
  EXPECT_EQ(found.reports[0].report.boards[0].run, "run1");
  ASSERT_EQ(found.left_out.size(), 1U);
  EXPECT_THAT(found.left_out[0], HasSubstr("run0: its tables of softmax are left out"));
}

TEST(Mix, AnotherLevelOfVerificationIsRefusedOrReportedApart) {
  const auto unattested = [](record::Provenance& p) { p.sandbox = {"uid"}; };
  const std::vector<record::Run> runs{run_of("softmax"), run_of("sum", "online", 2, unattested)};
  EXPECT_THAT(refusal(runs), HasSubstr("differ in the level of verification"));
  EXPECT_THAT(refusal(runs), HasSubstr("bench workloads, unattested"));
  EXPECT_EQ(mixture(runs, false).reports.size(), 2U);
  const auto quick = [](record::Provenance& p) { p.boards[0].stage = "quick"; };
  EXPECT_THAT(refusal({run_of("softmax"), run_of("sum", "online", 2, quick)}),
              HasSubstr("quick and bench workloads"));
}

// A newer verification of test workloads alone takes nothing's place that was verified on more.
TEST(Mix, AVerificationOfMoreWorkloadsIsAnotherLevel) {
  const auto verified = [](const std::vector<std::string>& stages, const char* started) {
    sample::Run run;
    run.provenance().boards[0].stage = "test";
    run.provenance().boards[0].workloads.clear();
    run.provenance().started = started;
    for (const std::string& stage : stages)
      run.entry({.stage = stage, .workload = "rows=7", .contestant = "online", .verdict = Verdict::right});
    return run.get();
  };
  const std::vector<record::Run> runs{verified({"test", "quick", "bench"}, "2025-01-31T13:45:00Z"),
                                      verified({"test"}, "2025-02-01T13:45:00Z")};
  const Mixture found = mixture(runs, false);
  ASSERT_EQ(found.reports.size(), 2U);
  EXPECT_THAT(found.left_out, testing::IsEmpty());
  EXPECT_THAT(refusal(runs), HasSubstr("test and quick and bench workloads, attested"));
}

TEST(Mix, SeriesOfOneRunAreTablesOfTheirOwn) {
  record::Run run = run_of("softmax");
  record::Run later = run_of("softmax", "two_pass", 3);
  auto provenance = record::provenance_from(run.provenance);
  provenance.boards.push_back(provenance.boards[0]);
  provenance.boards[1].series = 1;
  run.provenance = record::to_json(provenance);
  for (record::Entry entry : later.entries) {
    entry.series = 1;
    run.entries.push_back(entry);
  }
  run.set_aside = {later.entries[0]};
  run.set_aside[0].set_aside = "its round was begun anew when the run was resumed";
  const Report report = report_of(run);
  ASSERT_EQ(report.boards.size(), 2U);
  EXPECT_EQ(report.boards[0].rows.size(), 2U);
  EXPECT_EQ(report.boards[1].rows.size(), 2U);
  EXPECT_TRUE(report.boards[1].apart);
  EXPECT_EQ(report.overall.size(), 2U);
  EXPECT_THAT(markdown(report),
              HasSubstr("an entry does not count that is on record: its round was begun anew"));
}

}  // namespace
}  // namespace podium::report
