// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of verdicts says where times are not those that a contestant reported.
#include "tests/end_to_end/verdict_rows.hpp"

#include <gtest/gtest.h>

namespace podium::test {
namespace {

record::Entry entry(const std::string& contestant, int round, const std::string& verdict,
                    bool judged = false) {
  record::Entry made;
  made.contestant = contestant;
  made.round = round;
  made.verdict = record::RecordedVerdict::from_word(verdict);
  made.judged = judged;
  return made;
}

TEST(VerdictRows, MarkTimesOfTheJudgesClock) {
  record::Run run;
  run.entries = {entry("honest", -1, "right"),      entry("honest", 0, "right"),
                 entry("honest", 1, "right", true), entry("other", 0, "right", true),
                 entry("other", 1, "clock"),        entry("calm", 0, "right")};
  EXPECT_EQ(outcome_of(run, "honest").cell(), "right  [judge's clock: 1 of 2]");
  EXPECT_EQ(outcome_of(run, "other").cell(), "clock | right  [judge's clock: 1 of 1]");
  EXPECT_EQ(outcome_of(run, "calm").cell(), "right");
  EXPECT_EQ(outcome_of(run, "nobody").cell(), "");
}

TEST(VerdictRows, AreReadFromWhatVerifyPrints) {
  const auto rows = verified_rows(
      "cholesky/f32  threads        right  5 workloads; largest error 0.01\n"
      "cholesky/f64  first_only     not written  batch=3,n=2: l[0]  is as it was\n"
      "  again: podium verify cholesky  --seed 1  --call 0\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].types + " " + rows[0].contestant + " " + std::string(rows[0].verdict.word()),
            "f32 threads right");
  EXPECT_EQ(rows[1].types + " " + rows[1].contestant + " " + std::string(rows[1].verdict.word()),
            "f64 first_only not written");
  EXPECT_EQ(rows[1].text, "batch=3,n=2: l[0]  is as it was");
}

TEST(VerdictRows, AreCounted) {
  testing::internal::CaptureStdout();
  print_count({.rows = 24, .unexpected = 0, .judged = 2, .busy = true});
  print_count({.rows = 5});
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "  (24 rows, 0 not as expected, 2 with times of the judge's clock; busy: others took the "
            "processors)\n"
            "  (5 rows, 0 not as expected, 0 with times of the judge's clock; quiet)\n");
}

}  // namespace
}  // namespace podium::test
