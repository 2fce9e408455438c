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

std::string fault_of_check(const Check& check, const std::vector<TensorInstance>& tensors) {
  const auto made = [&](const std::string& name) -> const TensorInstance& {
    return *std::find_if(tensors.begin(), tensors.end(),
                         [&](const TensorInstance& tensor) { return tensor.name == name; });
  };
  if (check.kind == Check::Kind::permutation) {
    std::vector<std::string> others = check.with;
    others.push_back(check.of);
    others.insert(others.end(), check.of_with.begin(), check.of_with.end());
    const TensorInstance& first = made(check.tensor);
    for (const std::string& name : others)
      if (made(name).elements != first.elements)
        return fmt::format("found {} elements of {} and {} of {}, expected equally many", first.elements,
                           first.name, made(name).elements, name);
  }
  if (check.kind == Check::Kind::stable && made(check.tensor).extents != made(check.with[0]).extents)
    return fmt::format("found {} of shape [{}] and {} of shape [{}], expected one shape", check.tensor,
                       fmt::join(made(check.tensor).extents, ", "), check.with[0],
                       fmt::join(made(check.with[0]).extents, ", "));
  constexpr std::int64_t longest = (std::int64_t{1} << 32) - 2;
  if (check.kind == Check::Kind::distinct && made(check.tensor).extents.back() > longest)
    return fmt::format("found {} elements along the last axis of {}, expected fewer than 2^32 - 1",
                       made(check.tensor).extents.back(), check.tensor);
  return "";
}

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
