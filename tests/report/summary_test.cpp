// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a run shows while it goes on and at its end: brief boards, and one page.
#include "suite/report/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<NextStep> next{{"podium report results/x/y", "all notes, and times by workload"},
                                 {"podium run softmax --full", "the workloads of published tables"}};

TEST(Summary, SaysWhoWonWhatFailedAndWhatToTry) {
  sample::Run run = sample::everything();
  run.provenance().boards.push_back(
      {.problem = "sum", .types = "f64", .stage = "bench", .baseline = "cub", .workloads = {"n=1"}});
  EXPECT_EQ(summary(report_of(run.get()), "results/x/y", next, {.columns = 80}), R"(
2 boards in 100 s: 4 ranked, 1 not ranked, 1 verified and not timed, 2 failed, 1 not available here

problem  types  winner  vs baseline   % SOL
───────────────────────────────────────────
softmax  f32    online  1.143× cudnn   57.2
sum      f64    not reached

failed
  softmax/f32 broken: did not compile: broken.cu:12: error: expected ';' before…
  softmax/f32 wrong: wrong: y[3, 4] is 0.5, expected 0.25 [31m(limit 1e-6)

results
  results/x/y

try next
  podium report results/x/y  all notes, and times by workload
  podium run softmax --full  the workloads of published tables
)");
}

TEST(Summary, NamesThoseWhoShareTheFirstRank) {
  const std::string text = summary(
      report_of(sample::Run().baseline(500).timed({"online", std::vector(7, 500.)}).get()), "", {}, {});
  EXPECT_THAT(text, HasSubstr("cudnn, online  baseline"));
  EXPECT_THAT(text, Not(HasSubstr("results")));
  EXPECT_THAT(text, Not(HasSubstr("try next")));
}

TEST(Summary, NobodyWinsWithoutRanks) {
  EXPECT_THAT(summary(report_of(sample::Run().timed({"online", sample::around(250, 3)}).get()), "", {}, {}),
              HasSubstr("nobody is ranked"));
}

TEST(Summary, TenFailuresAreEnough) {
  sample::Run run;
  for (int k = 0; k < 12; ++k) run.failed("bad" + std::to_string(k), "wrong", "y[0]");
  const std::string text = summary(report_of(run.get()), "", {}, {});
  EXPECT_THAT(text, HasSubstr("bad9: wrong: y[0]\n  and 2 more\n"));
  EXPECT_THAT(text, Not(HasSubstr("bad10")));
}

// Lines behind the blank line that follows the table.
std::vector<std::string> notes_of(const std::string& board) {
  std::istringstream lines(board.substr(board.rfind("\n\n") + 2));
  std::vector<std::string> notes;
  for (std::string line; std::getline(lines, line);) notes.push_back(line);
  return notes;
}

TEST(BriefBoard, HasThreeLinesOfNotesAtMost) {
  const Report report = report_of(sample::everything().get());
  ASSERT_EQ(footnotes(report.boards[0]).size(), 4u);
  for (const std::size_t columns : {40, 80, 200}) {
    const std::string brief = terminal_board(report.boards[0], {.columns = columns, .brief = true});
    const auto notes = notes_of(brief);
    EXPECT_EQ(notes.size(), 3u) << brief;
    EXPECT_THAT(notes.front(), HasSubstr("half is not ranked"));
    EXPECT_TRUE(notes.back().ends_with(" …")) << brief;
    EXPECT_THAT(brief, Not(HasSubstr("450.0 µs"))) << "no times by workload";
  }
  EXPECT_EQ(notes_of(terminal_board(report.boards[0], {})).size(), 4u);
}

TEST(BriefBoard, ShortNotesStayWhole) {
  const Report report = report_of(sample::Run().baseline(500).timed({"online", std::vector(7, 400.)}).get());
  const auto notes = notes_of(terminal_board(report.boards[0], {.brief = true}));
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr("% SOL")));
  EXPECT_FALSE(notes.back().ends_with("…"));
}

}  // namespace
}  // namespace podium::report
