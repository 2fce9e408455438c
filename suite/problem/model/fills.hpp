// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The fills of a tensor, over all workloads.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// The different fills by `value` of the tensor, in the order of the file. Pointers into `problem`.
std::vector<const Fill*> value_fills(const Problem& problem, std::string_view tensor);

// Which of value_fills() `fill` is; 0 for fills of other kinds.
std::size_t number_of_value_fill(const Problem& problem, std::string_view tensor, const Fill& fill);

}  // namespace podium::problem
