// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "suite/report/format.hpp"

namespace podium::report {
namespace {

constexpr std::size_t gap = 2;             // columns of space between cells
constexpr std::size_t least_stretch = 12;  // a cell that is cut keeps at least so much
constexpr std::size_t longest_name = 32;

std::string spaces(std::size_t count) { return std::string(count, ' '); }

std::string padded(const std::string& text, std::size_t columns, bool right) {
  const std::string fill = spaces(columns - std::min(columns, width(text)));
  return right ? fill + text : text + fill;
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t widest = width(table.columns[c].header);
    for (const Line& line : table.lines) widest = std::max(widest, width(line.cells[c]));
    widths.push_back(table.columns[c].header == "contestant" ? std::min(widest, longest_name) : widest);
  }
  return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t sum = widths.empty() ? 0 : gap * (widths.size() - 1);
  for (const std::size_t width : widths) sum += width;
  return sum;
}

// Leaves out, or cuts, the least important columns until the table fits.
std::vector<std::size_t> fit(Table& table, std::size_t columns) {
  std::vector<std::size_t> widths = widths_of(table);
  while (total(widths) > columns) {
    std::size_t victim = table.columns.size();
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c].importance > 0 &&
          (victim == table.columns.size() || table.columns[c].importance < table.columns[victim].importance))
        victim = c;
    if (victim == table.columns.size()) break;
    const std::size_t excess = total(widths) - columns;
    if (table.columns[victim].stretches && widths[victim] >= excess + least_stretch) {
      widths[victim] -= excess;
      break;
    }
    const auto at = static_cast<std::ptrdiff_t>(victim);
    table.columns.erase(table.columns.begin() + at);
    widths.erase(widths.begin() + at);
    for (Line& line : table.lines) line.cells.erase(line.cells.begin() + at);
  }
  return widths;
}

void put_cells(std::string& out, const Table& table, const std::vector<std::string>& cells,
               const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c)
    line += fmt::format("{}{}", c ? spaces(gap) : "",
                        padded(shortened(cells[c], widths[c]), widths[c], table.columns[c].right));
  line.resize(line.find_last_not_of(' ') + 1);
  out += line.append(1, '\n');
}

void put_rule(std::string& out, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) out += "─";
  out += "\n";
}

// The cells that name the row, then the remark over the rest of the line.
void put_remark(std::string& out, const Table& table, const Line& line,
                const std::vector<std::size_t>& widths, std::size_t columns) {
  std::size_t leading = 0, indent = 0;
  while (leading < widths.size() && table.columns[leading].names) indent += widths[leading++] + gap;
  std::string text;
  for (std::size_t c = 0; c < leading; ++c)
    text += padded(shortened(line.cells[c], widths[c]), widths[c] + gap, false);
  out += fmt::format("{}{}\n", text, wrapped(line.remark, indent, columns));
}

void put_markdown_row(std::string& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out += fmt::format("| {} ", cell);
  out += "|\n";
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string result, line;
  const std::size_t room = columns > indent + least_stretch ? columns - indent : least_stretch;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = shortened(text.substr(begin, end - begin), room);
    if (!line.empty() && width(line) + 1 + width(word) > room) {
      result += fmt::format("{}\n{}", line, spaces(indent));
      line.clear();
    }
    line += line.empty() ? word : fmt::format(" {}", word);
    begin = end + 1;
  }
  return result + line;
}

void put_table(std::string& out, Table table, std::size_t columns) {
  const std::vector<std::size_t> widths = fit(table, columns);
  std::vector<std::string> headers;
  for (const Column& column : table.columns) headers.push_back(column.header);
  put_cells(out, table, headers, widths);
  put_rule(out, std::min(columns, std::max(total(widths), least_columns)));
  for (const Line& line : table.lines) {
    if (line.remark.empty())
      put_cells(out, table, line.cells, widths);
    else
      put_remark(out, table, line, widths, columns);
  }
}

void put_wide_table(std::string& out, const Table& table, std::size_t columns) {
  for (std::size_t next = 1; next < table.columns.size();) {
    Table part{.columns = {table.columns[0]}, .lines = {}};
    for (const Line& line : table.lines) part.lines.push_back({.cells = {line.cells[0]}, .remark = ""});
    do {
      part.columns.push_back(table.columns[next]);
      for (std::size_t i = 0; i < table.lines.size(); ++i)
        part.lines[i].cells.push_back(table.lines[i].cells[next]);
      ++next;
    } while (next < table.columns.size() &&
             total(widths_of(part)) + gap + std::max(width(table.columns[next].header), std::size_t{20}) <=
                 columns);
    out += "\n";
    put_table(out, std::move(part), columns);
  }
}

std::string ascii_lines(const std::string& text) {
  std::string plain;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    plain += ascii(std::string_view(text).substr(begin, end - begin)).append(1, '\n');
    begin = end + 1;
  }
  return plain;
}

void put_markdown_table(std::string& out, const Table& table) {
  std::vector<std::string> headers, rules;
  for (const Column& column : table.columns) {
    headers.push_back(markdown_escaped(column.header));
    rules.emplace_back(column.right ? "---:" : "---");
  }
  put_markdown_row(out, headers);
  put_markdown_row(out, rules);
  for (const Line& line : table.lines) {
    std::vector<std::string> cells;
    for (const std::string& cell : line.cells) cells.push_back(markdown_escaped(cell));
    if (!line.remark.empty()) {  // in the first column of numbers
      std::size_t at = 0;
      while (at + 1 < cells.size() && table.columns[at].names) ++at;
      cells[at] = markdown_escaped(line.remark);
    }
    put_markdown_row(out, cells);
  }
}

}  // namespace podium::report
