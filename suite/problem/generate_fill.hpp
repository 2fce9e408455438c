// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills by `value`: a kernel for each different one that a tensor has, its own or a workload's.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/generate_plan.hpp"
#include "suite/problem/generate_text.hpp"

namespace podium::problem {

// The different fills by `value` of the tensor, in the order of the file. Pointers into `problem`.
std::vector<const Fill*> value_fills(const Problem& problem, std::string_view tensor);

// Which of value_fills() `fill` is; 0 for fills of other kinds.
std::size_t number_of_value_fill(const Problem& problem, std::string_view tensor, const Fill& fill);

// The kernels podium_draw_NAME_NUMBER of tensor number `tensor`. data, count: C++ for its address and the
// number of its elements.
void write_value_fills(Lines& out, const Problem& problem, const Plan& plan, std::size_t tensor,
                       const std::string& data, const std::string& count);

}  // namespace podium::problem
