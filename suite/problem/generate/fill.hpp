// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills by `value`: a kernel for each different one that a tensor has, its own or a workload's. Derived fills
// are references: a kernel rounds what they hold into the tensor.
#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/generate/plan.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

// Declares those of random and normal that a term uses. `own`: the element's indices, for draws that name no
// others; `draws`: C++ for the seed and the number of the tensor.
void declare_draws(Lines& out, const std::set<std::string, std::less<>>& used,
                   const std::vector<std::string>& own, const std::string& draws);
// The indices of a derived fill if all of them are `parameters` of a text, else none.
std::vector<std::string> own_indices(const Reference& reference, const std::vector<std::string>& parameters);

// The kernels podium_draw_NAME_NUMBER of tensor number `tensor`. data, count: C++ for its address and the
// number of its elements.
void write_value_fills(Lines& out, const Problem& problem, const Plan& plan, std::size_t tensor,
                       const std::string& data, const std::string& count);

// The kernels podium_round_R of the derived fills of tensor number `tensor`, which are references number R.
void write_derived_fills(Lines& out, const Problem& problem, const Plan& plan, std::size_t tensor,
                         const std::string& data, const std::string& count);

}  // namespace podium::problem
