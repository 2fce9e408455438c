// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A growth that uses its output's indices, as a function of the judge's program.
#pragma once
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

// podium_growth_R of reference `r`, whose output is tensor `t`: the words, then its indices, each a
// podium::program::Real.
void write_growth(Lines& out, const Problem& problem, const Choice& choice, const Plan& plan, std::size_t r,
                  std::size_t t);
// podium_any_R, likewise; and the struct podium_elements_R, whose any(words, element) says of the element of
// that linear index whether it may hold anything.
void write_any(Lines& out, const Problem& problem, const Choice& choice, const Plan& plan, std::size_t r,
               std::size_t t);

}  // namespace podium::problem
