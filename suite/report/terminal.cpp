// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards laid out for a terminal: nothing is wider than the style allows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "suite/report/format.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"
#include "suite/report/run_notes.hpp"

namespace podium::report {
namespace {

constexpr std::size_t most_note_lines = 3;  // of a brief board

// The first lines of the notes, of which the last that is shown says whether there are more.
std::string brief_notes(const std::vector<std::string>& notes, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& note : notes) {
    std::istringstream wrapped_note(wrapped(note, 2, columns));
    for (std::string line; std::getline(wrapped_note, line);) lines.push_back(line);
  }
  constexpr std::string_view more = " …";
  const bool cut = lines.size() > most_note_lines;
  if (cut) lines.resize(most_note_lines);
  if (cut) lines.back() = shortened(lines.back(), columns - width(more)) + std::string(more);
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

void put_board(std::string& out, const BoardReport& board, const Style& style) {
  const std::size_t columns = std::max(style.columns, least_columns);
  out += wrapped(
      board.title.empty() ? heading(board) : fmt::format("{} · {}", heading(board), one_line(board.title)), 0,
      columns);
  out += fmt::format("\n{}\n\n", wrapped(subheading(board), 0, columns));
  if (board.rows.empty()) {
    out += "no contestant has an entry\n";
    return;
  }
  put_table(out, ranking_table(board), columns);
  if (const Table workloads = workload_table(board); !style.brief && !workloads.lines.empty())
    put_wide_table(out, workloads, columns);
  const std::vector<std::string> notes = footnotes(board);
  if (!notes.empty()) out += "\n";
  if (style.brief && !notes.empty())
    out += brief_notes(notes, columns);
  else
    for (const std::string& note : notes) out += fmt::format("{}\n", wrapped(note, 2, columns));
}

std::string in_style(const std::string& text, const Style& style) {
  return style.unicode ? text : ascii_lines(text);
}

}  // namespace

std::string terminal_heading(const record::Provenance& provenance, const Style& style) {
  const std::size_t columns = std::max(style.columns, least_columns);
  std::string out = device_text(provenance.device) + "\n";
  if (const std::string why = unattested_text(provenance); !why.empty())
    out += wrapped("unattested: " + why, 2, columns) + "\n";
  return in_style(out, style);
}

std::string terminal_board(const BoardReport& board, const Style& style) {
  std::string out = "\n";
  put_board(out, board, style);
  return in_style(out, style);
}

std::string terminal(const Report& report, const Style& style) {
  const std::size_t columns = std::max(style.columns, least_columns);
  std::string out = device_text(report.provenance.device) + "\n";
  if (const std::string why = ended_text(report.provenance);
      !why.empty() && !report.boards.empty() && report.parts.empty())
    out += wrapped("ended early: " + why, 2, columns) + "\n";
  for (const Part& part : report.parts) {
    const std::string why = ended_text(part.provenance);
    out += wrapped(fmt::format("run {}, commit {}{}{}", one_line(part.run), one_line(part.provenance.commit),
                               why.empty() ? "" : ", ended early: ", one_line(why)),
                   2, columns) +
           "\n";
  }
  if (const std::string why = unattested_text(report.provenance); !why.empty() && !report.boards.empty())
    out += wrapped("unattested: " + why, 2, columns) + "\n";
  if (report.boards.empty()) out += "no board has an entry\n";
  for (const BoardReport& board : report.boards) {
    out += "\n";
    put_board(out, board, style);
  }
  if (!report.overall.empty()) {
    out += "\nall problems\n\n";
    put_table(out, overall_table(report.overall), columns);
    out += fmt::format("\n{}\n", wrapped(overall_note, 2, columns));
  }
  return in_style(out, style);
}

}  // namespace podium::report
