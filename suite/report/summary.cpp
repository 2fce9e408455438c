// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "suite/base/counted.hpp"
#include "suite/rank/ranking.hpp"
#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/run_notes.hpp"

namespace podium::report {
namespace {

constexpr std::size_t most_failed = 10;  // rows of the page; the report has all
constexpr std::size_t most_winners = 3;  // names that share the first rank

bool ranks(const BoardReport& board) { return board.rounds >= rank::least_rounds; }

// Rows stand in the order of their ranks. Without ranks nobody has won.
std::vector<const Row*> winners_of(const BoardReport& board) {
  std::vector<const Row*> winners;
  for (const Row& row : board.rows)
    if (ranks(board) && row.standing == Standing::ranked && row.rank == 1) winners.push_back(&row);
  return winners;
}

std::string names_of(const std::vector<const Row*>& winners) {
  std::vector<std::string> names;
  for (const Row* row : winners) names.push_back(one_line(row->contestant));
  if (names.size() > most_winners) {
    const std::size_t others = names.size() - most_winners;
    names.resize(most_winners);
    names.push_back(fmt::format("{} more", others));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string speedup_of(const Row& row, const BoardReport& board) {
  if (row.baseline) return "baseline";
  return row.score ? fmt::format("{}× {}", ratio_text(*row.score), one_line(board.baseline))
                   : std::string(none);
}

std::vector<Failed> failed_in(const Report& report) {
  std::vector<Failed> failed;
  for (const BoardReport& board : report.boards)
    for (const Row& row : board.rows)
      if (row.standing == Standing::failed)
        failed.push_back({board.problem + "/" + board.types, row.contestant,
                          fmt::format("{}{}{}", row.verdict.word(), row.text.empty() ? "" : ": ", row.text)});
  return failed;
}

// "61 ranked, 12 verified and not timed, 1 failed, 9 not available here"
std::string counts_of(const Report& report) {
  const auto count = [&](Standing standing) {
    std::ptrdiff_t sum = 0;
    for (const BoardReport& board : report.boards)
      sum += std::ranges::count(board.rows, standing, &Row::standing);
    return sum;
  };
  const auto counts = std::to_array<std::pair<std::ptrdiff_t, const char*>>(
      {{count(Standing::ranked), "ranked"},
       {count(Standing::unranked), "not ranked"},
       {count(Standing::emulated) + count(Standing::verified), "verified and not timed"},
       {count(Standing::failed), "failed"},
       {count(Standing::declined), "not available here"}});
  std::vector<std::string> texts;
  for (const auto& [number, what] : counts)
    if (number > 0) texts.push_back(fmt::format("{} {}", number, what));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string duration_text(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

void put_failed(std::string& out, const std::vector<Failed>& failed, const Style& style) {
  if (failed.empty()) return;
  out += "\nfailed\n";
  for (std::size_t i = 0; i < std::min(most_failed, failed.size()); ++i)
    out += "  " +
           shortened(fmt::format("{} {}: {}", one_line(failed[i].board), one_line(failed[i].contestant),
                                 one_line(failed[i].reason)),
                     std::max(style.columns, least_columns) - 2) +
           '\n';
  if (failed.size() > most_failed) out += fmt::format("  and {} more\n", failed.size() - most_failed);
}

// Commands are never cut: they are there to be copied.
void put_next(std::string& out, const std::vector<NextStep>& next, const Style& style) {
  std::size_t widest = 0;
  for (const NextStep& step : next) widest = std::max(widest, width(step.command));
  if (!next.empty()) out += "\ntry next\n";
  for (const NextStep& step : next) {
    const std::size_t used = 2 + widest + 2;
    const bool beside = used + width(step.what) <= style.columns;
    out += beside ? fmt::format("  {:{}}  {}\n", step.command, widest, step.what)
                  : fmt::format("  {}\n", step.command);
  }
}

Table winner_table(const Report& report) {
  Table table{.columns = {{.header = "problem", .names = true},
                          {.header = "types", .names = true, .importance = 4},
                          {.header = "winner", .importance = 3, .stretches = true},
                          {.header = "vs baseline", .importance = 2},
                          {.header = "% SOL", .right = true, .importance = 1}},
              .lines = {}};
  for (const BoardReport& board : report.boards) {
    Line& line = table.lines.emplace_back();
    line.cells = {one_line(board.problem), one_line(board.types), "", "", ""};
    const auto winners = winners_of(board);
    if (winners.empty()) {
      line.remark = board.rows.empty() ? "not reached" : "nobody is ranked";
      continue;
    }
    line.cells[2] = names_of(winners);
    line.cells[3] = speedup_of(*winners.front(), board);
    line.cells[4] = or_none(winners.front()->sol, percent_text);
  }
  return table;
}

std::string summary(const Report& report, const std::string& place, const std::vector<NextStep>& next,
                    const Style& style) {
  std::string out = fmt::format("\n{} in {}: {}\n\n", counted(report.boards.size(), "board"),
                                duration_text(report.provenance.wall_seconds), counts_of(report));
  if (const std::string why = ended_text(report.provenance); !why.empty())
    out += wrapped("ended early: " + why, 2, std::max(style.columns, least_columns)) + "\n\n";
  put_table(out, winner_table(report), std::max(style.columns, least_columns));
  put_failed(out, failed_in(report), style);
  if (!place.empty()) out += fmt::format("\nresults\n  {}\n", place);
  put_next(out, next, style);
  return style.unicode ? out : ascii_lines(out);
}

}  // namespace podium::report
