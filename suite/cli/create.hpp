// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Templates: a problem that runs, a contestant that compiles.
#pragma once
#include <string>

#include "suite/compile/languages/language.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::cli {

// The text of kernels/NAME/problem.yaml, and of its two contestants. `schema`: path of the schema for
// editors;
// "": none.
std::string first_problem(const std::string& name, const std::string& schema);
std::string first_portable(const std::string& name);
std::string first_native(const std::string& name);

// A contestant of `problem` that does not write its outputs yet.
std::string first_contestant(const problem::Problem& problem, const std::string& name,
                             compile::FirstText text);

}  // namespace podium::cli
