// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What two runs held against each other say of every contestant and workload.
#include "suite/report/comparison.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "suite/base/error.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using sample::around;
using Sample = sample::Run;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string second = "rows=8192,cols=8192";

Change change_of(const Comparison& comparison, const std::string& contestant,
                 const std::string& workload = "rows=4096,cols=32768") {
  const auto found = std::ranges::find_if(comparison.rows, [&](const Compared& row) {
    return row.contestant == contestant && row.workload == workload;
  });
  if (found == comparison.rows.end()) throw std::out_of_range(contestant + " on " + workload);
  return found->change;
}

TEST(Comparison, FasterSlowerSameUndecided) {
  std::vector<double> wild;
  for (int round = 0; round < 7; ++round) wild.push_back(round % 2 ? 300 : 200);
  const Sample before = Sample()
                            .baseline(500)
                            .timed({"online", around(250)})
                            .timed({"two_pass", around(300)})
                            .timed({"sealed", around(240)});
  const Sample after = Sample()
                           .baseline(501)
                           .timed({"online", around(200)})
                           .timed({"two_pass", around(330)})
                           .timed({"sealed", wild});
  const Comparison got = compare(before.get(), after.get(), 0.01);
  EXPECT_EQ(change_of(got, "cudnn"), Change::same);
  EXPECT_EQ(change_of(got, "online"), Change::faster);
  EXPECT_EQ(change_of(got, "two_pass"), Change::slower);
  EXPECT_EQ(change_of(got, "sealed"), Change::undecided);
  EXPECT_EQ(got.count(Change::same), 1);
  const auto online = std::ranges::find(got.rows, "online", &Compared::contestant);
  EXPECT_NEAR(*online->before, 250, 1e-9);
  EXPECT_NEAR(*online->after, 200, 1e-9);
  EXPECT_NEAR(*online->ratio, 0.8, 1e-4);
  EXPECT_LT(*online->low, 0.8);
  EXPECT_GT(*online->high, 0.8);
}

TEST(Comparison, TheMarginDecidesWhatCounts) {
  const Sample before = Sample().baseline(500), after = Sample().baseline(510);
  EXPECT_EQ(change_of(compare(before.get(), after.get(), 0.01), "cudnn"), Change::slower);
  EXPECT_EQ(change_of(compare(before.get(), after.get(), 0.03), "cudnn"), Change::same);
}

TEST(Comparison, NewGoneFailsMended) {
  const Sample before = Sample()
                            .baseline(500)
                            .timed({"online", around(250)})
                            .timed({"two_pass", around(300)})
                            .failed("sealed", "crashed", "signal 11");
  const Sample after = Sample()
                           .baseline(500)
                           .baseline(700, second)
                           .failed("online", "wrong", "y[3] is 1, expected 2")
                           .timed({"sealed", around(100)});
  const Comparison got = compare(before.get(), after.get(), 0.01);
  EXPECT_EQ(change_of(got, "cudnn", second), Change::added);
  EXPECT_EQ(change_of(got, "two_pass"), Change::gone);
  EXPECT_EQ(change_of(got, "online", ""), Change::fails);
  EXPECT_EQ(change_of(got, "sealed", ""), Change::mended);
  const auto fails = std::ranges::find(got.rows, "online", &Compared::contestant);
  EXPECT_EQ(fails->text, "wrong: y[3] is 1, expected 2");
}

TEST(Comparison, OneRoundDecidesNothing) {
  const Sample before = Sample().timed({"cudnn", {500}}), after = Sample().timed({"cudnn", {900}});
  const Comparison got = compare(before.get(), after.get(), 0.01);
  EXPECT_EQ(change_of(got, "cudnn"), Change::undecided);
  EXPECT_FALSE(got.rows[0].low);
}

// Two runs of forty equal contestants, 400 times: at most 5 % of the pairs of runs may see any difference.
TEST(Comparison, RarelySeesADifferenceWhereThereIsNone) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.03);
  const auto run = [&] {
    Sample made;
    for (int k = 0; k < 40; ++k) {
      std::vector<double> times(7);
      for (double& time : times) time = 100 * std::exp(noise(random));
      made.timed({"c" + std::to_string(k), times});
    }
    return made.get();
  };
  int wrong = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Comparison got = compare(run(), run(), 0);
    wrong += got.count(Change::faster) + got.count(Change::slower) > 0;
  }
  EXPECT_LE(wrong, 400 * 0.05 + 3 * std::sqrt(400 * 0.05 * 0.95));
  EXPECT_GT(wrong, 0) << "a margin of nothing and no false alarm: the test sees none";
}

TEST(Comparison, TellsWhatElseDiffers) {
  Sample before = Sample().baseline(500), after = Sample().baseline(500);
  after.provenance().driver = "590.2, CUDA 13.1";
  after.provenance().copy_bytes_per_second = 3.8e12;
  EXPECT_THAT(
      compare(before.get(), after.get(), 0.01).notes,
      AllOf(Contains("driver: 580.1, CUDA 13.0 before, 590.2, CUDA 13.1 after"),
            Contains("copy rate: 4000 GB/s before, 3800 GB/s after (-5.0 %): the device itself differs")));
  EXPECT_TRUE(compare(before.get(), before.get(), 0.01).notes.empty());
}

std::string refusal(const Sample& before, const Sample& after) {
  try {
    compare(before.get(), after.get(), 0.01);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Comparison, RunsThatCannotBeCompared) {
  Sample other = Sample().baseline(500);
  other.provenance().device.product = "NVIDIA B200";
  EXPECT_EQ(
      refusal(Sample().baseline(500), other),
      "compare: found a run of nvidia-h200-sm_90-140g and one of nvidia-b200-sm_90-140g, expected two of one "
      "device");
  Sample another = Sample(Sample().provenance())
                       .entry({.problem = "sum",
                               .types = "f32",
                               .stage = "bench",
                               .workload = "n=1",
                               .contestant = "a",
                               .round = 0,
                               .verdict = Verdict::right,
                               .median = {.value = 1}});
  another.provenance().boards.clear();
  EXPECT_THAT(refusal(Sample().baseline(500), another), HasSubstr("found no board that both"));
}

TEST(Comparison, AnotherLevelOfVerificationIsRefused) {
  Sample before = Sample().baseline(500), after = Sample().baseline(500);
  after.provenance().sandbox.clear();
  EXPECT_EQ(
      refusal(before, after),
      "compare: results/x/y (attested) and results/x/y (unattested) differ in the level of verification, "
      "and their times do not compare; measure one of them again");
  before.provenance().sandbox.clear();
  EXPECT_EQ(refusal(before, after), "none");
}

// Runs made before caches were flushed by reading do not say how it was done.
TEST(Comparison, CachesFlushedInAnotherWayAreRefused) {
  Sample before = Sample().baseline(500), after = Sample().baseline(500);
  before.provenance().caches.clear();
  EXPECT_THAT(refusal(before, after), HasSubstr("(attested, caches flushed by writing)"));
  before.provenance().device.backend = after.provenance().device.backend = "host";
  EXPECT_EQ(refusal(before, after), "none") << "a CPU's were always read";
}

TEST(Comparison, AnotherRevisionOfAProblemIsRefusedAndOthersCanBeNamed) {
  const auto with_sum = [](Sample made) {
    record::BoardRecord sum = made.provenance().boards[0];
    sum.problem = "sum";
    made.provenance().boards.push_back(sum);
    for (int round = 0; round < 7; ++round)
      made.entry({.problem = "sum",
                  .stage = "bench",
                  .workload = "rows=4096,cols=32768",
                  .contestant = "cudnn",
                  .round = round,
                  .verdict = Verdict::right,
                  .median = sample::exactly(100)});
    return made;
  };
  const Sample before = with_sum(Sample().baseline(500));
  Sample after = with_sum(Sample().baseline(500));
  after.provenance().boards[0].sha256 = "other";
  EXPECT_EQ(
      refusal(before, after),
      "compare: results/x/y and results/x/y measured different revisions of softmax (SHA-256 of "
      "problem.yaml), and their times do not compare; measure again with one revision, or name the other "
      "problems with --problem");
  const Comparison got = compare(before.get(), after.get(), 0.01, {"sum"});
  ASSERT_EQ(got.rows.size(), 1U);
  EXPECT_EQ(got.rows[0].problem, "sum");
  EXPECT_THROW(compare(before.get(), after.get(), 0.01, {"other"}), Error);
}

TEST(Comparison, Rendered) {
  const Sample before = Sample().baseline(500).timed({"online", around(250)});
  const Sample after = Sample().baseline(500).timed({"online", around(275)});
  const Comparison got = compare(before.get(), after.get(), 0.01);
  const std::string table = render(got, "table", false);
  EXPECT_THAT(table, AllOf(HasSubstr("2 rows: 1 slower, 1 same; changes of less than 1.0 % do not count"),
                           HasSubstr("softmax · f32 · bench"), HasSubstr("1.100"), Not(HasSubstr("cudnn"))));
  EXPECT_THAT(render(got, "table", true), HasSubstr("cudnn"));
  EXPECT_THAT(render(got, "md", false),
              HasSubstr("| online | rows=4096,cols=32768 | 250.0 µs | 275.0 µs | 1.100 |"));
  const auto json = nlohmann::json::parse(render(got, "json", false));
  EXPECT_EQ(json["counts"]["slower"], 1);
  EXPECT_EQ(json["rows"].size(), 2U);
  EXPECT_THAT(render(got, "csv", false),
              HasSubstr("softmax,f32,bench,online,\"rows=4096,cols=32768\",slower,250,275,"));
  EXPECT_THROW(render(got, "xml", false), Error);
}

TEST(Comparison, AsASummaryForAPullRequest) {
  Sample before = Sample().baseline(500).timed({"online", around(250)}).timed({"sealed", around(240)});
  Sample after = Sample()
                     .baseline(500)
                     .failed("online", "wrong", "y[3] | is @everybody, expected <b>2</b>")
                     .timed({"sealed", around(120)});
  const std::string text = render(compare(before.get(), after.get(), 0.01), "summary", false);
  EXPECT_THAT(text, testing::StartsWith("### Podium: 1 fails, 1 faster on "));
  EXPECT_THAT(
      text,
      AllOf(
          HasSubstr(
              "| fails: wrong: y\\[3\\] \\| is @&#8203;everybody, expected &lt;b>2&lt;/b> | softmax/f32 "
              "| online | all | – | – | – |"),
          HasSubstr("| faster | softmax/f32 | sealed | rows=4096,cols=32768 | 240.0 µs | 120.0 µs | 0.500 ("),
          Not(HasSubstr("cudnn")), HasSubstr("1 same; changes of less than 1.0 % do not count. Before: ")));
  EXPECT_LT(text.find("| fails"), text.find("| faster"));

  const Sample alike = Sample().baseline(500);
  EXPECT_THAT(render(compare(alike.get(), alike.get(), 0.01), "summary", false),
              AllOf(testing::StartsWith("### Podium: nothing changed on "), Not(HasSubstr("| verdict"))));

  Sample many = Sample().baseline(500), slower = Sample().baseline(500);
  for (int n = 0; n < 30; ++n) {
    many.timed({fmt::format("c{}", n), around(200)});
    slower.timed({fmt::format("c{}", n), around(300)});
  }
  const std::string long_one = render(compare(many.get(), slower.get(), 0.01), "summary", false);
  EXPECT_THAT(long_one, HasSubstr("\n10 more changed; `podium compare` lists them.\n"));
  EXPECT_EQ(std::ranges::count(long_one, '\n') < 40, true);
}

}  // namespace
}  // namespace podium::report
