// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Evaluates the formulas of a workload on one board.
#pragma once
#include <cstdint>

#include "suite/problem/formula/formula.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Evaluates `workload` for `choice`. Throws podium::Error with file and line: a shape that is not whole,
// negative or of 2^53 bytes or more, a condition that does not hold, a cyclic formula.
//
// Structure gets its shapes, not its numbers, and what is stated by its numbers is left open: parts in use
// (all of it), conditions, ranges, costs (0).
Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload);

// The same with structure computed from the seed of a round; the same numbers for the same seed.
Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload,
                     std::uint64_t structure_seed);

// Whether `workload` belongs to the board of `choice`.
bool on_board(const Workload& workload, const Choice& choice);

// The numbers and types that the formulas of an instance may use.
Scope scope_of(const Problem& problem, const Instance& instance);

// Evaluates one formula over the numbers of an instance: contestants' `when`, tests. Throws podium::Error.
double evaluate(const Problem& problem, const Instance& instance, const Text& formula);

}  // namespace podium::problem
