// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge's program holds for checks: tensors as terms read them beside inputs, and kernels of checks.
#pragma once
#include <set>
#include <string>

#include "suite/problem/generate_plan.hpp"
#include "suite/problem/generate_text.hpp"
#include "suite/problem/problem.hpp"

namespace podium::problem {

// What the text of a program is written from.
struct Board {
  const Problem& problem;
  const Choice& choice;
  const Plan& plan;
};

// In generated code: the element type of a tensor, its address and how many elements it has. `before`: of an
// inout its values before the call.
std::string element_type(const Board& board, std::size_t tensor);
std::string tensor_data(const Board& board, std::size_t tensor, bool before = false);
std::string tensor_count(const Board& board, std::size_t tensor);

// Declares the outputs and inouts that the term of reference `site` reads as a contestant wrote them, or with
// .initial or .reference; returns their names. The others are declared as results of references.
std::set<std::string> declare_views(Lines& out, const Board& board, std::size_t site, bool magnitude);

// podium_check_NAME of each check but finite, which the scan answers; podium_before_NAME beside a
// permutation.
void check_kernels(Lines& out, const Board& board);

}  // namespace podium::problem
