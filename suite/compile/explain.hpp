// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Why a judge's program does not compile: a sentence for each line of the problem that has a wrong term.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::compile {

// What terms may name, over all references, for the nearest one.
std::vector<std::string> names_of_terms(const problem::Problem& problem);

// A program that did not compile.
struct FailedProgram {
  std::string problem;             // its path, as in the text's #line directives
  std::string text, log;           // what was compiled, and what the compiler said
  std::vector<std::string> names;  // names_of_terms()
};

// One "problem.yaml:7: reference.y.value: sentence" a line, in the order of the file, ten at most; "" if no
// error is in a term. A wrong term hides the errors of those that call its reference: it is replaced by one
// that is right, and the program given to `compile`, which returns the log, until no other is found. Without
// `compile`, those that need no second look.
std::string explain(const FailedProgram& program,
                    const std::function<std::string(const std::string& text)>& compile);

}  // namespace podium::compile
