// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which row stands where and with what numbers: ties, failures, unfinished and killed runs.
#include "suite/report/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "suite/record/calibration.hpp"
#include "suite/report/render.hpp"
#include "suite/report/table.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using sample::around;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string second = "rows=8192,cols=8192";

BoardReport only_board(const sample::Run& run) {
  const Report report = report_of(run.get());
  if (report.boards.size() != 1) throw std::runtime_error("not one board");
  return report.boards[0];
}

const Row& row(const BoardReport& board, const std::string& contestant) {
  const auto found = std::ranges::find(board.rows, contestant, &Row::contestant);
  if (found == board.rows.end()) throw std::out_of_range(contestant);
  return *found;
}

std::vector<std::string> order(const BoardReport& board) {
  std::vector<std::string> names;
  for (const Row& row : board.rows) names.push_back(row.contestant);
  return names;
}

// A timed entry of one contestant, without its samples.
record::Entry of_round(int round) {
  return {.stage = "bench",
          .workload = "rows=4096,cols=32768",
          .contestant = "online",
          .round = round,
          .verdict = Verdict::right,
          .median = {.value = 250}};
}

TEST(BoardReport, SamplesThatAreNotIndependentAreSaid) {
  const auto board_of = [](bool rising) {
    sample::Run run;
    run.baseline(500);
    for (int round = 0; round < 7; ++round) {
      record::Entry entry = of_round(round);
      for (int k = 0; k < 20; ++k) entry.microseconds.push_back(250 + (rising ? k : k * 7 % 20));
      run.entry(entry);
    }
    return only_board(run);
  };
  const BoardReport rising = board_of(true);
  EXPECT_EQ(rising.unsteady.entries, 7) << "the baseline's have one sample each";
  EXPECT_EQ(rising.unsteady.trending, 7);
  EXPECT_THAT(footnotes(rising),
              testing::Contains(HasSubstr("of 7 entries 7 had samples that depend on each other")));
  EXPECT_EQ(board_of(false).unsteady.trending, 0);
  EXPECT_THAT(footnotes(board_of(false)), testing::Not(testing::Contains(HasSubstr("depend on each other"))));
}

TEST(BoardReport, ADisturbedDeviceIsSaid) {
  const auto board_of = [](int put_off, double last) {
    sample::Run run;
    run.baseline(500);
    for (int round = 0; round < 7; ++round) {
      record::Entry entry = of_round(round);
      entry.microseconds = {250};
      entry.canaries = {20};
      if (round < put_off) entry.canaries = {40, round == 0 ? last : 20};
      run.entry(entry);
    }
    return only_board(run);
  };
  EXPECT_EQ(board_of(0, 0).canary.entries, 7) << "entries of older runs have none, and do not count";
  EXPECT_THAT(footnotes(board_of(0, 0)), testing::Not(testing::Contains(HasSubstr("canary"))));
  EXPECT_THAT(footnotes(board_of(2, 20)),
              testing::Contains(
                  "canary: the device was disturbed before 2 of 7 entries; 0 were measured nevertheless"));
  EXPECT_THAT(footnotes(board_of(2, 30)),
              testing::Contains(
                  "canary: the device was disturbed before 2 of 7 entries; 1 were measured nevertheless"));
  EXPECT_EQ(board_of(2, 30).canary.disturbed, 1);
}

TEST(BoardReport, WinsOverTheBaselineOnEveryWorkload) {
  sample::Run run;
  run.baseline(500).baseline(500, second);
  run.timed({"online", around(260)})
      .timed({.contestant = "online", .times = around(600), .workload = second});
  run.timed({"two_pass", around(400)}).failed("two_pass", "wrong", "y[0]");
  run.entry({.stage = "bench", .workload = second, .contestant = "sealed", .verdict = Verdict::unsupported});
  run.timed({"sealed", around(100)});
  run.provenance().boards[0].workloads.push_back(second);
  const BoardReport board = only_board(run);
  const auto wins = [&](const std::string& name) {
    const rank::Wins& w = row(board, name).wins;
    return std::vector{w.workloads, w.won, w.fast[0], w.fast[1], w.fast[2]};
  };
  EXPECT_EQ(wins("online"), (std::vector{2, 1, 1, 1, 0}));
  EXPECT_EQ(wins("two_pass"), (std::vector{2, 0, 0, 0, 0})) << "wrong";
  EXPECT_EQ(wins("sealed"), (std::vector{1, 1, 1, 1, 1})) << "declined the other";
  EXPECT_EQ(wins("cudnn"), (std::vector{0, 0, 0, 0, 0})) << "the baseline itself";
}

TEST(Report, OverallIsOfEveryContestantWithABoard) {
  sample::Run run;
  run.baseline(500).timed({"online", around(250)}).timed({"two_pass", around(700)});
  for (int round = 0; round < 7; ++round)
    for (const auto& [name, time] : {std::pair{"cub", 100.0}, {"online", 120.0}})
      run.entry({.problem = "sum",
                 .types = "f32",
                 .stage = "bench",
                 .workload = "n=1",
                 .contestant = name,
                 .round = round,
                 .verdict = Verdict::right,
                 .median = {.value = time}});
  run.provenance().boards.push_back(
      {.problem = "sum", .types = "f32", .stage = "bench", .baseline = "cub", .workloads = {"n=1"}});
  const Report report = report_of(run.get());
  ASSERT_EQ(report.overall.size(), 2U) << "but the two baselines";
  EXPECT_EQ(report.overall[0].contestant, "online");
  EXPECT_EQ(report.overall[0].problems, 2);
  EXPECT_EQ(report.overall[0].wins.workloads, 2);
  EXPECT_EQ(report.overall[0].wins.won, 1);
  EXPECT_EQ(report.overall[1].contestant, "two_pass");
  EXPECT_EQ(report.overall[1].problems, 1);
  EXPECT_EQ(report.overall[1].wins.workloads, 1);
  EXPECT_EQ(report.overall[1].wins.won, 0);
}

TEST(BoardReport, NumbersByHand) {
  const BoardReport board =
      only_board(sample::Run().verified("online").baseline(500).timed({"online", around(250)}));
  const Row& online = row(board, "online");
  EXPECT_EQ(online.standing, Standing::ranked);
  EXPECT_EQ(online.rank, 1);
  EXPECT_EQ(online.last, 1);
  EXPECT_NEAR(*online.score, 2, 1e-3);
  EXPECT_NEAR(*online.time, 250, 1e-9);
  EXPECT_NEAR(*online.time_low, 247.5, 1e-9);
  EXPECT_NEAR(*online.time_high, 252.5, 1e-9);
  EXPECT_NEAR(*online.gb_per_s, 4000, 1e-6);  // 1 GB in 250 µs
  EXPECT_NEAR(*online.tflop_per_s, 2, 1e-9);  // 0.5 GFLOP
  EXPECT_NEAR(*online.sol, 1, 1e-9);          // at 4 TB/s that takes 250 µs
  EXPECT_EQ(online.worst, 0.25);              // of tests and rounds
  EXPECT_EQ(online.timings[0].rounds, 7);
  EXPECT_NEAR(online.timings[0].median.low, 247.5, 1e-9);
  EXPECT_NEAR(online.timings[0].median.high, 252.5, 1e-9);
  EXPECT_EQ(online.title, "One block a row, one pass");
  EXPECT_EQ(online.kind, "portable");
  EXPECT_TRUE(row(board, "cudnn").baseline);
  EXPECT_EQ(row(board, "cudnn").score, 1);
  EXPECT_EQ(row(board, "cudnn").rank, 2);
  EXPECT_EQ(board.rounds, 7);
  EXPECT_DOUBLE_EQ(board.delta, std::log(1.002));
  EXPECT_TRUE(board.baseline_timed && board.twin_timed);
}

TEST(BoardReport, ABaselineThatIsNotItselfMakesItDoubtful) {
  const auto board_with = [](double twin) {
    return only_board(sample::Run()
                          .timed({"cudnn", std::vector(7, 500.)})
                          .timed({.contestant = "cudnn", .times = std::vector(7, twin), .twin = true}));
  };
  EXPECT_THAT(footnotes(board_with(545)), testing::Not(testing::Contains(HasSubstr("doubtful"))));
  EXPECT_THAT(footnotes(board_with(555)),
              testing::Contains(
                  HasSubstr("doubtful: the baseline, measured twice, differs from itself by up to 11 %")));
}

TEST(BoardReport, SeveralWorkloadsGiveGeometricMeans) {
  sample::Run run;
  run.provenance().boards[0].workloads.push_back(second);
  const BoardReport board = only_board(run.baseline(100)
                                           .baseline(100, second)
                                           .timed({"online", std::vector(7, 50.)})
                                           .timed({"online", std::vector(7, 200.), second}));
  EXPECT_NEAR(*row(board, "online").time, 100, 1e-9);
  EXPECT_NEAR(*row(board, "online").score, 1, 1e-9);
  EXPECT_EQ(row(board, "online").rank, 1);
  EXPECT_EQ(row(board, "online").last, 2);
  EXPECT_EQ(row(board, "online").timings[1].median.value, 200);
}

TEST(BoardReport, TheIntervalOfSeveralWorkloadsIsOfRounds) {
  const auto times_of = [](double first, const std::vector<double>& factors) {
    std::vector<double> times;
    for (const double factor : factors) times.push_back(first * factor);
    return times;
  };
  const std::vector<double> factors{0.9, 1.1, 1, 1.05, 0.95, 1.02, 0.98};
  std::vector<double> inverse;
  for (const double factor : factors) inverse.push_back(1 / factor);
  const auto row_of = [&](const std::vector<double>& other) {
    sample::Run run;
    run.provenance().boards[0].workloads.push_back(second);
    run.timed({"online", times_of(50, factors)}).timed({"online", times_of(200, other), second});
    return row(only_board(run), "online");
  };
  const Row together = row_of(factors), against = row_of(inverse);
  EXPECT_NEAR(*together.time_low, 90, 1e-9);
  EXPECT_NEAR(*together.time_high, 110, 1e-9);
  EXPECT_NEAR(*against.time_low, 100, 1e-9) << "what one loses in a round the other gains";
  EXPECT_NEAR(*against.time_high, 100, 1e-9);
}

TEST(BoardReport, WorkBoundByArithmeticHasNoShareOfLight) {
  sample::Run run;
  run.timed({"online", around(100)});
  auto record = run.get();
  for (auto& entry : record.entries) entry.flops = 100 * entry.bytes;
  EXPECT_FALSE(report_of(record).boards[0].rows[0].sol);
  EXPECT_TRUE(report_of(record).boards[0].rows[0].tflop_per_s);
  for (auto& entry : record.entries) entry.flops = 0;
  EXPECT_TRUE(report_of(record).boards[0].rows[0].sol);
  EXPECT_FALSE(report_of(record).boards[0].rows[0].tflop_per_s);
  run.provenance().copy_bytes_per_second = 0;
  EXPECT_FALSE(only_board(run).rows[0].sol);
}

TEST(BoardReport, WorkBoundByArithmeticIsHeldAgainstTheCalibration) {
  sample::Run run;
  run.timed({"online", around(100)});
  run.provenance().copy_bytes_per_second = 4e12;
  run.provenance().arithmetic = {{"fma_f32", 5e13}, {"matrix_tf32", 3.5e14}, {"matrix_bf16", 7e14}};
  auto record = run.get();
  const auto sol_at = [&](double flops_per_byte) {
    for (auto& entry : record.entries) entry.bytes = 1e8, entry.flops = 1e8 * flops_per_byte;
    const auto report = report_of(record);
    const Timing& timing = report.boards[0].rows[0].timings[0];
    return std::pair(*timing.sol_raw, timing.arithmetic);
  };
  EXPECT_NEAR(sol_at(1000).first, 1e11 / 3.5e14 / 100e-6, 1e-9);  // f32: the faster, tf32
  EXPECT_TRUE(sol_at(1000).second);
  EXPECT_NEAR(sol_at(10).first, 0.25, 1e-9);  // moving 100 MB takes 25 µs, the operations 2.9 µs
  EXPECT_FALSE(sol_at(10).second);
  record.provenance["arithmetic"] = {{"matrix_bf16", 7e14}};  // of another type
  EXPECT_FALSE(report_of(record).boards[0].rows[0].sol);
}

TEST(BoardReport, ARunWithoutACalibrationIsHeldAgainstThatOfItsDevice) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("beside" + std::to_string(getpid()));
  sample::Run run;
  run.timed({"online", std::vector(7, 100.)});
  auto record = run.get();
  for (auto& entry : record.entries) entry.bytes = 1e8, entry.flops = 1e11;
  record.folder = folder / "run";
  const auto board = [&] { return report_of(record).boards[0]; };
  EXPECT_FALSE(board().rows[0].sol);
  record::Calibration stored{.provenance = run.provenance(),
                             .quantities = {{"matrix_tf32", "FLOP/s", 2e15, 2e15, 2e15, 11, ""}}};
  stored.provenance.started = "2025-01-01T00:00:00Z";
  const auto store = [&] { record::write_calibration(folder / "calibration.json", stored); };
  store();
  EXPECT_NEAR(board().rows[0].sol.value(), 0.5, 1e-9);
  EXPECT_EQ(board().calibrated, "2025-01-01T00:00:00Z");
  EXPECT_THAT(footnotes(board()),
              testing::Contains(
                  "ceiling: the device's calibration of 2025-01-01T00:00:00Z, since the run knew none"));
  EXPECT_EQ(to_json(report_of(record))["boards"][0]["calibrated"], "2025-01-01T00:00:00Z");
  // What memory bounds needs none.
  for (auto& entry : record.entries) entry.flops = 0;
  EXPECT_EQ(board().calibrated, "");
  for (auto& entry : record.entries) entry.flops = 1e11;
  stored.provenance.driver = "another";
  store();
  EXPECT_FALSE(board().rows[0].sol);
  stored.provenance.driver = run.provenance().driver;
  stored.provenance.device.memory /= 2;
  store();
  EXPECT_FALSE(board().rows[0].sol);
  // What the run itself knew counts.
  stored.provenance.device = run.provenance().device;
  store();
  record.provenance["arithmetic"] = {{"matrix_tf32", 4e15}};
  EXPECT_NEAR(board().rows[0].sol.value(), 0.25, 1e-9);
  EXPECT_EQ(board().calibrated, "");
  fs::remove_all(folder);
}

TEST(BoardReport, TensorsOfOneTypeAreHeldAgainstItsRate) {
  sample::Run run;
  run.provenance().boards[0].types = "bf16-bf16";
  run.provenance().arithmetic = {{"matrix_bf16", 2e15}};
  for (int round = 0; round < 7; ++round)
    run.entry({.types = "bf16-bf16",
               .stage = "bench",
               .workload = "rows=4096,cols=32768",
               .contestant = "online",
               .round = round,
               .verdict = Verdict::right,
               .microseconds = {100},
               .median = sample::exactly(100),
               .bytes = 1e8,
               .flops = 1e11});
  EXPECT_NEAR(only_board(run).rows[0].sol.value(), 0.5, 1e-9);
}

// A copy at 4 TB/s takes 250 µs for 1 GB, reading at 5 TB/s takes 200.
TEST(BoardReport, TheCeilingIsThatOfTheMix) {
  sample::Run run;
  run.provenance().read_bytes_per_second = 5e12;
  run.provenance().write_bytes_per_second = 2e12;
  auto record = run.timed({"online", std::vector(7, 250.)}).get();
  const auto sol_of_written = [&](double written) {
    for (auto& entry : record.entries) entry.written = written;
    return *report_of(record).boards[0].rows[0].sol;
  };
  EXPECT_NEAR(sol_of_written(0), 0.8, 1e-9);
  EXPECT_NEAR(sol_of_written(5e8), 1, 1e-9);
  EXPECT_NEAR(sol_of_written(2.5e8), 0.9, 1e-9);
  EXPECT_NEAR(sol_of_written(-1), 1, 1e-9) << "a run that does not record it";
}

TEST(BoardReport, FasterThanTheCeilingIsShownAsAHundredAndSaid) {
  sample::Run run;
  run.provenance().boards[0].workloads.push_back(second);
  const BoardReport board =
      only_board(run.timed({"online", std::vector(7, 200.)}).timed({"online", std::vector(7, 500.), second}));
  const Row& online = row(board, "online");
  EXPECT_NEAR(*online.timings[0].sol_raw, 1.25, 1e-9);
  EXPECT_EQ(online.timings[0].sol(), 1.0);
  EXPECT_NEAR(*online.sol, std::sqrt(1 * 0.5), 1e-9) << "nor does it lift the mean";
  EXPECT_NEAR(*online.sol_raw, std::sqrt(1.25 * 0.5), 1e-9);
  EXPECT_THAT(footnotes(board), testing::Contains(HasSubstr("online at 125.0 % of the ceiling")));
}

TEST(BoardReport, RowsThatDeclinedTestsAreNamedWithThem) {
  const auto declined = [](const std::string& contestant, const std::string& test) {
    return record::Entry{
        .stage = "test", .workload = test, .contestant = contestant, .verdict = Verdict::unsupported};
  };
  sample::Run run;
  run.baseline(500).verified("online").timed({"online", std::vector(7, 400.)});
  EXPECT_THAT(footnotes(only_board(run)), testing::Not(testing::Contains(HasSubstr("declined tests"))));
  for (int resumed = 0; resumed < 2; ++resumed)
    run.entry(declined("online", "far_below_zero")).entry(declined("online", "rows=2,cols=7"));
  run.entry(declined("nowhere", "far_below_zero"));  // has no numbers: its row says so itself
  EXPECT_THAT(footnotes(only_board(run)),
              testing::Contains(
                  "declined tests, on which nothing is verified: online (far_below_zero; rows=2,cols=7)"));
}

TEST(BoardReport, NotesComeInOrderOfImportance) {
  sample::Run run;
  run.provenance().boards[0].stage = "quick";
  const auto notes =
      footnotes(only_board(run.timed({"online", std::vector(3, 100.), "rows=4096,cols=32768", "quick"})));
  const auto place_of = [&](const char* words) {
    return std::ranges::find_if(notes, [&](const std::string& note) { return note.starts_with(words); }) -
           notes.begin();
  };
  EXPECT_EQ(place_of("unfinished"), 0);
  EXPECT_LT(place_of("no ranks"), place_of("no speed-up"));
  EXPECT_LT(place_of("no speed-up"), place_of("quick workloads"));
  EXPECT_LT(place_of("quick workloads"), place_of("faster than calibrated"));
  EXPECT_LT(place_of("faster than calibrated"), place_of("% SOL"));
  EXPECT_EQ(place_of("% SOL"), std::ssize(notes) - 1);
}

TEST(BoardReport, FailuresAndRefusalsStandLast) {
  const BoardReport board = only_board(sample::Run()
                                           .failed("nolib", "missing library", "no flashinfer")
                                           .failed("broken", "did not compile", "error: x")
                                           .verified("emulated", true)
                                           .baseline(500)
                                           .verified("waiting"));
  EXPECT_THAT(order(board), ElementsAre("cudnn", "emulated", "waiting", "broken", "nolib"));
  EXPECT_EQ(row(board, "emulated").standing, Standing::emulated);
  EXPECT_EQ(row(board, "waiting").standing, Standing::verified);
  EXPECT_EQ(row(board, "broken").standing, Standing::failed);
  EXPECT_EQ(row(board, "broken").text, "error: x");
  EXPECT_EQ(row(board, "nolib").standing, Standing::declined);
  EXPECT_EQ(row(board, "nolib").verdict.word(), "missing library");
  EXPECT_EQ(row(board, "cudnn").last, 1);
}

TEST(BoardReport, OneWrongRoundIsAFailureWhateverTheOthersWere) {
  const BoardReport board = only_board(sample::Run()
                                           .baseline(500)
                                           .timed({"online", around(100)})
                                           .entry({.stage = "bench",
                                                   .workload = "rows=4096,cols=32768",
                                                   .contestant = "online",
                                                   .round = 7,
                                                   .verdict = Verdict::wrong,
                                                   .text = "y"}));
  EXPECT_EQ(row(board, "online").standing, Standing::failed);
  EXPECT_TRUE(row(board, "online").timings.empty());
  EXPECT_FALSE(row(board, "online").time);
  EXPECT_EQ(row(board, "cudnn").rank, 1);
}

TEST(BoardReport, AFailingTwinFailsTheBaseline) {
  const BoardReport board = only_board(sample::Run()
                                           .baseline(500)
                                           .timed({"online", around(100)})
                                           .entry({.stage = "bench",
                                                   .workload = "rows=4096,cols=32768",
                                                   .contestant = "cudnn",
                                                   .twin = true,
                                                   .round = 7,
                                                   .verdict = Verdict::wrong}));
  EXPECT_EQ(row(board, "cudnn").standing, Standing::failed);
  EXPECT_EQ(row(board, "online").rank, 1);
  EXPECT_FALSE(row(board, "online").score);
  EXPECT_FALSE(board.baseline_timed);
}

TEST(BoardReport, AnEntryWithoutAPositiveTimeIsNotBelieved) {
  for (const double median : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const BoardReport board = only_board(sample::Run().baseline(500).timed({"zero", std::vector(7, median)}));
    EXPECT_EQ(row(board, "zero").standing, Standing::failed) << median;
    EXPECT_EQ(row(board, "cudnn").rank, 1);
  }
}

TEST(BoardReport, AnUnsupportedWorkloadTakesTheRankAndOnlyThat) {
  sample::Run run;
  run.provenance().boards[0].workloads.push_back(second);
  run.baseline(500).baseline(500, second).timed({"online", around(100)});
  for (int round = 0; round < 7; ++round)
    run.entry({.stage = "bench",
               .workload = second,
               .contestant = "online",
               .round = round,
               .verdict = Verdict::unsupported,
               .text = "too wide"});
  const BoardReport board = only_board(run);
  const Row& online = row(board, "online");
  EXPECT_EQ(online.standing, Standing::unranked);
  EXPECT_EQ(online.rank, 0);
  EXPECT_FALSE(online.score);
  EXPECT_EQ(online.timings[0].rounds, 7);
  EXPECT_EQ(online.timings[1].rounds, 0);
  EXPECT_EQ(online.verdict.word(), "not supported");
  EXPECT_EQ(online.text, second + ": too wide");
  EXPECT_EQ(row(board, "cudnn").rank, 1);
}

TEST(BoardReport, AnUnsupportedTestWorkloadTakesNothing) {
  const BoardReport board = only_board(sample::Run()
                                           .entry({.stage = "test",
                                                   .workload = "rows=0",
                                                   .contestant = "online",
                                                   .verdict = Verdict::unsupported})
                                           .verified("online")
                                           .baseline(500)
                                           .timed({"online", around(100)}));
  EXPECT_EQ(row(board, "online").rank, 1);
}

TEST(BoardReport, AKilledRunIsRankedOnItsCompleteRounds) {
  sample::Run run;
  auto record = run.baseline(500).timed({"online", around(100)}).timed({"two_pass", around(300)}).get();
  EXPECT_EQ(report_of(record).boards[0].rounds, 7);
  record.entries.pop_back();  // the kill
  const BoardReport board = report_of(record).boards[0];
  EXPECT_EQ(board.rounds, 6);
  EXPECT_EQ(board.planned_rounds, 7);
  for (const Row& each : board.rows) EXPECT_EQ(each.standing, Standing::ranked);
  EXPECT_EQ(row(board, "online").timings[0].rounds, 6);
}

TEST(BoardReport, OfTheFirstRoundAloneThereMayBeNothing) {
  const BoardReport board = only_board(sample::Run().timed({"online", {100}}).verified("cudnn"));
  EXPECT_EQ(board.rounds, 1);
  EXPECT_EQ(row(board, "cudnn").standing, Standing::verified);
  EXPECT_EQ(row(board, "online").standing, Standing::ranked);
  EXPECT_FALSE(row(board, "online").score);
}

TEST(BoardReport, ARepeatedEntryReplacesTheFirst) {
  sample::Run run;
  run.baseline(500).timed({"online", std::vector(7, 100.)}).timed({"online", std::vector(7, 200.)});
  EXPECT_DOUBLE_EQ(*row(only_board(run), "online").time, 200);
}

TEST(BoardReport, StagesAreNeverMerged) {
  sample::Run run;
  run.baseline(500).timed({"online", around(100), "rows=1", "quick"});
  const Report report = report_of(run.get());
  ASSERT_EQ(report.boards.size(), 2u);
  EXPECT_EQ(report.boards[0].stage, "bench");
  EXPECT_THAT(order(report.boards[0]), ElementsAre("cudnn"));
  EXPECT_EQ(report.boards[1].stage, "quick");
  EXPECT_THAT(order(report.boards[1]), ElementsAre("online"));
}

TEST(BoardReport, TypesAreBoardsOfTheirOwn) {
  sample::Run run;
  run.baseline(500).entry({.types = "bf16", .contestant = "online", .verdict = Verdict::did_not_compile});
  const Report report = report_of(run.get());
  ASSERT_EQ(report.boards.size(), 2u);
  EXPECT_EQ(report.boards[1].types, "bf16");
  EXPECT_EQ(report.boards[1].stage, "test");
  EXPECT_THAT(order(report.boards[1]), ElementsAre("online"));
}

TEST(BoardReport, AnEmptyRunHasItsPlannedBoardsAndNoRows) {
  EXPECT_TRUE(only_board(sample::Run()).rows.empty());
  EXPECT_TRUE(report_of(sample::Run(record::Provenance{}).get()).boards.empty());
}

}  // namespace
}  // namespace podium::report
