// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The format that a tolerance's limits allow a contestant to add up in.
#pragma once
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Spacing above 1 of the accumulator's format on the board of `choice`.
double accumulate_eps(const Tolerance& tolerance, const Choice& choice);

}  // namespace podium::problem
