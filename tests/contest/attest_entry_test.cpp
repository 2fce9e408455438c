// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// When an entry's times are doubted, and whether that accuses its contestant.
#include "suite/contest/attest_entry.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "suite/record/metrics.hpp"

namespace podium::contest {
namespace {

constexpr measure::Overhead overhead{.constant = 10, .tolerance = 20, .reported = 1};

// 20 calls that the worker says took `reported` each, and the judge saw take `judged`, in microseconds.
record::Entry entry(double reported, double judged) {
  record::Entry made;
  made.microseconds.assign(20, reported);
  made.judge_microseconds.assign(20, judged);
  made.median = measure::median(made.microseconds);
  return made;
}

// The same, with three samples of four calls behind one gate.
record::Entry together(double reported, double judged_of_four) {
  record::Entry made = entry(reported, reported + overhead.constant);
  made.together = {.calls = 4,
                   .microseconds = std::vector(3, 4 * reported),
                   .judge_microseconds = std::vector(3, judged_of_four)};
  return made;
}

Competitor looked_at(double between) {
  Competitor competitor;
  competitor.between.assign(2, between);
  competitor.looks[0];
  return competitor;
}

TEST(AttestEntry, TimesThatTheJudgeSawAreNotDoubted) {
  EXPECT_FALSE(disagreement_alone({}, entry(100, 115), overhead));
}

TEST(AttestEntry, TimesThatAreTooShortAccuse) {
  const auto found = disagreement_alone({}, entry(100, 400), overhead);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->failure.verdict, Verdict::clock);
  EXPECT_THAT(found->failure.text, testing::HasSubstr("reported 100.00 µs a call"));
  EXPECT_TRUE(found->accuses);
  EXPECT_FALSE(found->starved);
}

TEST(AttestEntry, WaitingForProcessorsExcusesAsMuchAsItLasted) {
  Competitor competitor;
  competitor.waited = 20 * 290 / 2.0;
  EXPECT_TRUE(disagreement_alone(competitor, entry(100, 400), overhead)->starved);
  competitor.waited /= 2;
  EXPECT_FALSE(disagreement_alone(competitor, entry(100, 400), overhead)->starved);
}

TEST(AttestEntry, NothingExcusesAClockThatStandsStill) {
  Competitor competitor;
  competitor.waited = 1e9;
  const auto found = disagreement_alone(competitor, entry(0, 10), overhead);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->accuses);
  EXPECT_FALSE(found->starved);
}

TEST(AttestEntry, SeveralCallsShowALieThatOneHides) {
  const auto lie =
      together(100, 4 * 130);  // 30 too short: within the tolerance of one call, with the overhead
  EXPECT_FALSE(disagreement_alone({}, lie, overhead));
  const auto found =
      disagreement_together(looked_at(100), 0, lie, {.overhead = overhead, .calmest = overhead});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->failure.text, testing::HasSubstr("each of 4 behind one gate"));
  EXPECT_TRUE(found->accuses);
}

TEST(AttestEntry, WhoReportsAsLongInBetweenIsNotAccused) {
  const auto found = disagreement_together(looked_at(130), 0, together(100, 4 * 130),
                                           {.overhead = overhead, .calmest = overhead});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->accuses);
}

TEST(AttestEntry, WritingWhatACallLeftInACacheIsBorneOutBySteadyCalls) {
  const auto slower = together(100, 4 * 130);
  Competitor competitor = looked_at(100);
  competitor.steady.assign(2, 130);
  EXPECT_FALSE(borne_out_alone(competitor, slower, {.overhead = overhead, .write_back = 0}));
  EXPECT_TRUE(borne_out_alone(competitor, slower, {.overhead = overhead, .write_back = 30}));
}

TEST(AttestEntry, TheJudgesTimesAreNoShorterThanTheWorkers) {
  record::Entry made = entry(100, 400);
  made.microseconds[0] = 500;
  use_judges_times(made, 10);
  EXPECT_EQ(made.microseconds[0], 500);
  EXPECT_EQ(made.microseconds[1], 390);
  EXPECT_EQ(made.median.value, 390);
  EXPECT_TRUE(made.judged);
}

TEST(AttestEntry, WhatTheJudgesClockMeasuredOutlivesTheWorkersTimes) {
  record::Entry made = entry(100, 400);
  made.measured[record::hot] =
      made.measured[record::constructor] = {.samples = {50}, .median = {.value = 50}};
  use_judges_times(made, 10);
  EXPECT_FALSE(made.measured.value(record::hot));
  EXPECT_EQ(made.measured.value(record::constructor), 50);
}

}  // namespace
}  // namespace podium::contest
