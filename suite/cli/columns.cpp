// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/report/format.hpp"

namespace podium::cli {

void print_columns(const Columns& lines) {
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], report::width(line[k]));
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t k = 0; k < line.size(); ++k)
      text += line[k] + std::string(widths[k] - report::width(line[k]) + 2, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
}

}  // namespace podium::cli
