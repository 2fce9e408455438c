// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards as LaTeX: a table a board, to be included where package booktabs is loaded.
#include <fmt/format.h>

#include "suite/report/format.hpp"
#include "suite/report/render.hpp"
#include "suite/report/table.hpp"

namespace podium::report {
namespace {

// "softmax-f32-bench": a label of letters, digits and hyphens.
std::string latex_label_of(const BoardReport& board) {
  std::string label;
  for (const char c : fmt::format("{}-{}-{}", board.problem, board.types, board.stage))
    label += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return label;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "  " : " & ") + cell;
  return text + " \\\\\n";
}

// A remark takes the place of all cells but those that name the row.
std::vector<std::string> cells_of(const Table& table, const Line& line) {
  std::vector<std::string> cells;
  std::size_t c = 0;
  for (; c < table.columns.size() && (line.remark.empty() || table.columns[c].names); ++c)
    cells.push_back(latex_escaped(line.cells[c]));
  if (c < table.columns.size())
    cells.push_back(
        fmt::format("\\multicolumn{{{}}}{{l}}{{{}}}", table.columns.size() - c, latex_escaped(line.remark)));
  return cells;
}

void put_latex_table(std::string& out, const Table& table) {
  std::string alignment;
  std::vector<std::string> headers;
  for (const Column& column : table.columns) {
    alignment += column.right ? 'r' : 'l';
    headers.push_back(latex_escaped(column.header));
  }
  out += fmt::format("  \\begin{{tabular}}{{{}}}\n  \\toprule\n{}  \\midrule\n", alignment, line_of(headers));
  for (const Line& line : table.lines) out += line_of(cells_of(table, line));
  out += "  \\bottomrule\n  \\end{tabular}\n";
}

}  // namespace

std::string latex(const Report& report) {
  std::string out = "% \\usepackage{booktabs}; UTF-8\n";
  for (const BoardReport& board : report.boards) {
    out += fmt::format("\\begin{{table}}\n  \\centering\n  \\caption{{{} on {}: {}}}\n  \\label{{tab:{}}}\n",
                       latex_escaped(heading(board)), latex_escaped(device_text(report.provenance.device)),
                       latex_escaped(subheading(board)), latex_label_of(board));
    put_latex_table(out, ranking_table(board));
    out += "\\end{table}\n";
  }
  return out;
}

}  // namespace podium::report
