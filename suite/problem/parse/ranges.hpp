// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Indices and their ranges: { i: rows }, { i: [low, high] }, { i: { low, high, most } }; half open.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/parse/parsing.hpp"

namespace podium::problem {

// Declares an index of one reference, whose indices so far are `own`; false after a mistake.
bool declare_index(Parsing& parsing, const Cursor& where, const std::string& name,
                   std::set<std::string>& own);

// Appends the indices of a map. `inner`: they are those of a loop, whose ranges may use the indices in `own`
// (those outside of it), tensors and references.
void parse_ranges(Parsing& parsing, const Cursor& cursor, std::vector<Index>& into,
                  std::set<std::string>& own, bool inner);

}  // namespace podium::problem
