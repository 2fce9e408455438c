// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether the tensors of a built-in check have shapes that can be held against each other, and whether a
// formula of elements can be evaluated.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/problem/instance/faults.hpp"

namespace podium::problem {

std::string fault_of_element_formula(const Problem& problem, const std::string& tensor, const Text& formula,
                                     Scope scope) {
  scope.trial = true;
  for (const Reference& reference : problem.references)
    if (reference.name == tensor)
      for (const Index& index : reference.index) scope.numbers[index.name] = 1;
  try {
    evaluate(formula.text, scope);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace podium::problem
