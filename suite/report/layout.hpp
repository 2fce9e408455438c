// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tables and sentences laid out: for a terminal, nothing wider than its columns; and as Markdown.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "suite/report/table.hpp"

namespace podium::report {

inline constexpr std::size_t least_columns = 40;

// Columns are left out or cut, the least important first, until the table fits.
void put_table(std::string& out, Table table, std::size_t columns);
// As many columns behind the first side by side as fit, the others below.
void put_wide_table(std::string& out, const Table& table, std::size_t columns);
// Words on lines of at most `columns`, all but the first indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns);
// Line by line in ASCII.
std::string ascii_lines(const std::string& text);

void put_markdown_table(std::string& out, const Table& table);

}  // namespace podium::report
