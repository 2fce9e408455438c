// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is left to do of a run that is resumed: no file is built, no device takes part.
#include "suite/contest/rest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "tests/paths.hpp"

namespace podium::contest {
namespace {

constexpr int rounds = 3;

// A run of tests/faults/problems/doubling: `loop` is the baseline, `half_millisecond` and `one_off` compete.
class RunRest : public testing::Test {
 public:
  RunRest() {
    provenance_ = {.boards = {{.problem = "doubling",
                               .types = "f32",
                               .stage = "quick",
                               .baseline = "loop",
                               .sha256 = record::sha256(plan_.problems.at(0).source),
                               .contestants = {"half_millisecond", "loop", "one_off"}}},
                   .rounds = rounds};
    for (const std::string& name : provenance_.boards[0].contestants)
      provenance_.contestants.push_back({.problem = "doubling", .name = name});
  }

  record::Entry entry(const std::string& contestant, int round, const std::string& workload) const {
    return {.problem = "doubling",
            .types = "f32",
            .workload = workload,
            .contestant = contestant,
            .round = round,
            .verdict = Verdict::right};
  }
  RunRest& verify(const std::string& contestant, std::size_t tests = 99) {
    const BoardPlan& board = plan_.boards[0];
    for (std::size_t i = 0; i < std::min(tests, board.tests.size()); ++i)
      entries_.push_back(entry(contestant, -1, workload(board.tests[i])));
    return *this;
  }
  RunRest& verify_all() { return verify("half_millisecond").verify("loop").verify("one_off"); }
  RunRest& time(const std::string& contestant, int round, bool twin = false, int series = 0) {
    for (const int w : plan_.boards[0].timed) {
      entries_.push_back(entry(contestant, round, workload(w)));
      entries_.back().twin = twin;
      entries_.back().series = series;
    }
    return *this;
  }
  RunRest& round(int number) {
    return time("half_millisecond", number)
        .time("one_off", number)
        .time("loop", number)
        .time("loop", number, true);
  }
  std::string workload(int index) const {
    return plan_.problems[0].workloads[static_cast<std::size_t>(index)].name;
  }

  contest::Rest rest(const std::set<std::string>& changed = {}) const {
    return rest_of(plan_, provenance_, entries_,
                   [&](const Entrant& entrant, const record::ContestantRecord&) {
                     return changed.contains(entrant.contestant.name);
                   });
  }
  static std::ptrdiff_t aside(const contest::Rest& rest) {
    return std::ranges::count_if(rest.set_aside, [](const std::string& why) { return !why.empty(); });
  }

  Plan plan_ =
      plan({.problems = test::source_dir() + "/tests/faults/problems", .names = {"doubling"}}, "host");
  record::Provenance provenance_;
  std::vector<record::Entry> entries_;
};

TEST_F(RunRest, OfARunWithoutEntriesIsAll) {
  const auto left = rest();
  ASSERT_EQ(left.boards.size(), 1U);
  EXPECT_EQ(left.boards[0].first_round, 0);
  EXPECT_EQ(left.boards[0].entrants.size(), 3U);
  EXPECT_TRUE(left.boards[0].entrants[0].verified.empty());
}

TEST_F(RunRest, OfAFinishedRunIsNothing) {
  verify_all().round(0).round(1).round(2);
  EXPECT_TRUE(rest().boards.empty());
  EXPECT_EQ(aside(rest()), 0);
}

TEST_F(RunRest, OfVerificationIsWhatIsMissing) {
  verify("half_millisecond").verify("loop", 1);
  const auto left = rest();
  ASSERT_EQ(left.boards.size(), 1U);
  const auto& entrants = left.boards[0].entrants;
  EXPECT_EQ(entrants.at(0).verified.size(), left.boards[0].tests.size());
  EXPECT_EQ(entrants.at(1).verified.size(), 1U);
  EXPECT_TRUE(entrants.at(2).verified.empty());
  EXPECT_EQ(aside(left), 0);
}

TEST_F(RunRest, ARoundThatLacksAnEntryIsBegunAnewAndAloneSetAside) {
  verify_all().round(0).round(1);
  const auto whole = entries_.size();
  entries_.pop_back();  // the twin's
  const auto left = rest();
  ASSERT_EQ(left.boards.size(), 1U);
  EXPECT_EQ(left.boards[0].first_round, 1);
  EXPECT_EQ(aside(left), static_cast<std::ptrdiff_t>(whole - 1 - (whole - 4)));
  for (std::size_t i = 0; i < entries_.size(); ++i)
    EXPECT_EQ(left.set_aside[i].empty(), entries_[i].round < 1) << i;
  // The same once more: what was set aside stays so, for the same reason.
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].set_aside = left.set_aside[i];
  EXPECT_EQ(rest().set_aside, left.set_aside);
  EXPECT_EQ(rest().boards.at(0).first_round, 1);
  round(1);
  EXPECT_EQ(rest().boards.at(0).first_round, 2);
}

TEST_F(RunRest, AFailureCountsAndItsContestantStaysOut) {
  verify_all().round(0);
  entries_.push_back(entry("one_off", 1, workload(plan_.boards[0].timed[0])));
  entries_.back().verdict = Verdict::crashed;
  time("loop", 1);
  auto left = rest();
  ASSERT_EQ(left.boards.size(), 1U);
  EXPECT_EQ(left.boards[0].first_round, 1);
  EXPECT_TRUE(left.boards[0].entrants.at(2).out);
  EXPECT_EQ(aside(left), 1) << "the entry of loop alone";
  time("half_millisecond", 1).time("loop", 1, true);
  EXPECT_EQ(rest().boards.at(0).first_round, 2) << "a round is complete without one that is out";
  time("half_millisecond", 2).time("loop", 2).time("loop", 2, true);
  EXPECT_TRUE(rest().boards.empty());
}

TEST_F(RunRest, AChangedContestantAloneIsMeasuredAgainBesideTheBaseline) {
  verify_all().round(0).round(1).round(2);
  const auto left = rest({"one_off"});
  ASSERT_EQ(left.boards.size(), 1U);
  const BoardPlan& board = left.boards[0];
  EXPECT_EQ(board.series, 1);
  EXPECT_EQ(board.first_round, 0);
  ASSERT_EQ(board.entrants.size(), 2U);
  EXPECT_EQ(board.entrants[0].contestant.name, "loop");
  EXPECT_EQ(board.entrants[0].verified.size(), board.tests.size());
  EXPECT_EQ(board.entrants[1].contestant.name, "one_off");
  EXPECT_TRUE(board.entrants[1].verified.empty());
  for (std::size_t i = 0; i < entries_.size(); ++i)
    EXPECT_EQ(left.set_aside[i].empty(), entries_[i].contestant != "one_off") << i;
  ASSERT_EQ(left.records.size(), 2U);
  EXPECT_THAT(left.records[0].contestants, testing::ElementsAre("half_millisecond", "loop"));
  EXPECT_THAT(left.records[1].contestants, testing::ElementsAre("loop", "one_off"));
  ASSERT_EQ(left.replaced.size(), 1U);
  EXPECT_EQ(left.replaced[0].name, "one_off");

  // Killed before it had an entry: it is still to be measured in that series.
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].set_aside = left.set_aside[i];
  provenance_.boards = left.records;
  ASSERT_EQ(rest().boards.size(), 1U);
  EXPECT_EQ(rest().boards[0].series, 1);
  EXPECT_EQ(rest().boards[0].entrants.size(), 2U);
}

TEST_F(RunRest, AContestantThatChangesBeforeARoundIsCompleteJoinsTheOthers) {
  verify_all().time("one_off", 0).time("loop", 0);
  const auto left = rest({"one_off"});
  ASSERT_EQ(left.boards.size(), 1U);
  EXPECT_EQ(left.boards[0].series, 0);
  EXPECT_EQ(left.boards[0].entrants.size(), 3U);
  EXPECT_TRUE(left.boards[0].entrants.at(2).verified.empty());
  EXPECT_FALSE(left.boards[0].entrants.at(0).verified.empty());
}

TEST_F(RunRest, AChangedBaselineBeginsTheRoundsAnew) {
  verify_all().round(0).round(1).round(2);
  const auto left = rest({"loop"});
  ASSERT_EQ(left.boards.size(), 1U);
  EXPECT_EQ(left.boards[0].series, 0);
  EXPECT_EQ(left.boards[0].first_round, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    EXPECT_EQ(left.set_aside[i].empty(), entries_[i].round < 0 && entries_[i].contestant != "loop") << i;
}

TEST_F(RunRest, AContestantThatIsGoneKeepsItsEntries) {
  verify_all().round(0);
  std::erase_if(plan_.boards[0].entrants,
                [](const Entrant& one) { return one.contestant.name == "one_off"; });
  const auto left = rest();
  EXPECT_THAT(left.missing, testing::ElementsAre("doubling/one_off"));
  EXPECT_EQ(aside(left), 0);
  EXPECT_EQ(left.boards.at(0).first_round, 1);
  EXPECT_EQ(left.boards.at(0).entrants.size(), 2U);
}

TEST_F(RunRest, AChangedProblemIsRefused) {
  provenance_.boards[0].sha256 = record::sha256("another");
  try {
    rest();
    FAIL() << "it was not refused";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("problem.yaml: the problem has changed since the run began"));
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace podium::contest
