// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards laid out for a terminal: nothing is wider than the style allows.
#include <fmt/format.h>

#include <algorithm>

#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"
#include "suite/report/sandbox.hpp"
#include "suite/report/spent.hpp"

namespace podium::report {
namespace {

void put_board(std::string& out, const Board& board, std::size_t columns) {
  out += wrapped(
      board.title.empty() ? heading(board) : fmt::format("{} · {}", heading(board), one_line(board.title)), 0,
      columns);
  out += fmt::format("\n{}\n\n", wrapped(subheading(board), 0, columns));
  if (board.rows.empty()) {
    out += "no contestant has an entry\n";
    return;
  }
  put_table(out, ranking_table(board), columns);
  if (const Table workloads = workload_table(board); !workloads.lines.empty())
    put_wide_table(out, workloads, columns);
  const std::vector<std::string> notes = footnotes(board);
  if (!notes.empty()) out += "\n";
  for (const std::string& note : notes) out += fmt::format("{}\n", wrapped(note, 2, columns));
}

}  // namespace

std::string terminal(const Report& report, const Style& style) {
  const std::size_t columns = std::max(style.columns, least_columns);
  std::string out = device_text(report.provenance.device) + "\n";
  if (const std::string why = ended_text(report.provenance); !why.empty() && !report.boards.empty())
    out += wrapped("ended early: " + why, 2, columns) + "\n";
  if (const std::string why = unattested_text(report.provenance); !why.empty() && !report.boards.empty())
    out += wrapped("unattested: " + why, 2, columns) + "\n";
  if (report.boards.empty()) out += "no board has an entry\n";
  for (const Board& board : report.boards) {
    out += "\n";
    put_board(out, board, columns);
  }
  if (!report.overall.empty()) {
    out += "\nall problems\n\n";
    put_table(out, overall_table(report.overall), columns);
    out += fmt::format("\n{}\n", wrapped(overall_note, 2, columns));
  }
  return style.unicode ? out : ascii_lines(out);
}

}  // namespace podium::report
