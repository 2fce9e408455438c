// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What terms of references may name, so that a slip is a sentence of the format's and not of a compiler's.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/problem/formula/lexer.hpp"

namespace podium::problem {

// Functions that a term may call (suite/problem/program/term.hpp), and how many arguments each takes.
const std::map<std::string, int>& term_functions();

// The names around a term.
struct TermNames {
  std::set<std::string> numbers;  // indices, axes, parameters, constants
  std::set<std::string> arrays;   // tensors, structure, references: called with indices
  std::set<std::string> types;    // keys of `types`, which round_to takes as it does dtypes
  std::set<std::string> draws;    // of fills: called with the draw's number, and coordinates
};

// Whether token `at` is the dtype of a call of round_to.
bool is_rounding_type(const std::vector<Token>& tokens, std::size_t at);

// What is wrong with a term, or with a `body`: sentences without place, none if all is well. An expression's
// names, calls and parentheses are looked at; of a body, which may have names of its own, only the
// parentheses. Whether it is C++ is left to the compiler.
std::vector<std::string> faults_of_term(const std::string& term, const TermNames& names, bool body = false);

}  // namespace podium::problem
