// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/numbers.hpp"

namespace podium::problem {

void declare_numbers(Lines& out, const Problem& problem, const Plan& plan,
                     const std::set<std::string, std::less<>>& used, std::string_view indent) {
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    if (used.contains(problem.axes[k].name))
      out.add("{}const podium::program::i64 {} = podium_words.integer({});", indent, problem.axes[k].name,
              plan.axis(k));
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    if (used.contains(problem.parameters[k].name))
      out.add("{}const double {} = podium_words.real({});", indent, problem.parameters[k].name,
              plan.parameter(k));
  for (const auto& constant : problem.constants)
    if (used.contains(constant.name))
      out.add("{}constexpr {} {} = {};", indent, constant.whole ? "podium::program::i64" : "double",
              constant.name,
              constant.whole ? fmt::format("{}", static_cast<std::int64_t>(constant.value))
                             : literal(constant.value));
}

}  // namespace podium::problem
