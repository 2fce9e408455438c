// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a `compute` text may name.
#include "suite/problem/compute/compute.hpp"

namespace podium::problem {

ComputeNames compute_names(const Problem& problem, std::size_t structures) {
  ComputeNames names;
  for (const auto& axis : problem.axes) names.numbers[axis.name] = false;
  for (const auto& parameter : problem.parameters) names.numbers[parameter.name] = true;
  for (const auto& constant : problem.constants) names.numbers[constant.name] = !constant.whole;
  for (std::size_t s = 0; s < structures; ++s)
    names.structure[problem.structure[s].name] = {problem.structure[s].shape.size(),
                                                  info(problem.structure[s].dtype).floating};
  return names;
}

}  // namespace podium::problem
