// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Lines of cells, printed one column under the other.
#pragma once
#include <string>
#include <vector>

namespace podium::cli {

using Columns = std::vector<std::vector<std::string>>;  // lines of as many cells each, the heading first

void print_columns(const Columns& lines);

}  // namespace podium::cli
