// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Axes, parameters and constants as locals of the judge's program: of references and of fills.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "suite/problem/generate/plan.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::problem {

// Declares those that `used` names; podium_words is in scope there.
void declare_numbers(Lines& out, const Problem& problem, const Plan& plan,
                     const std::set<std::string, std::less<>>& used, std::string_view indent);

}  // namespace podium::problem
