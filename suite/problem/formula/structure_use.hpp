// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure in formulas: length(b), sum(length), max(length), min(length). Internal to evaluate().
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/lexer.hpp"

namespace podium::problem {

// The last token of the use of structure that begins at token `at`; 0 if none begins there.
std::size_t end_of_structure(const std::vector<Token>& tokens, std::size_t at, const Scope& scope);

// Its value. Throws podium::Error: a wrong number of indices, one out of range, structure without numbers.
double value_of_structure(std::string_view formula, const std::vector<Token>& tokens, std::size_t at,
                          const Scope& scope);

}  // namespace podium::problem
