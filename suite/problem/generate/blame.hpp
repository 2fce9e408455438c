// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whose fault it is when a term goes wrong: the problem's, or that of numbers which the contestant wrote.
#pragma once
#include "suite/problem/model/problem.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::problem {

// Whether an index, a scattered index, a segment or a divisor that can have led to `fault` depends on what
// the contestant wrote. Where several can, one of them suffices.
bool is_contestants(const Problem& problem, const program::Fault& fault);

}  // namespace podium::problem
