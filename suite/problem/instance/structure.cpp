// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of structure, computed.
#include <utility>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/instance/faults.hpp"

namespace podium::problem {

void compute_structure(const Problem& problem, const Scope& scope, std::uint64_t seed,
                       const std::vector<StructureInstance>& structure, StructureInstance& made,
                       std::int64_t most_steps) {
  const auto position = static_cast<std::size_t>(&made - structure.data());
  ComputeNames names = compute_names(problem, position);
  names.out = {made.extents.size(), info(made.dtype).floating};
  ComputeInputs inputs;
  for (const auto& [name, number] : scope.numbers) inputs.numbers[name] = number;
  for (const StructureInstance& earlier : structure) inputs.structure[earlier.name] = &earlier;
  inputs.seed = seed;
  inputs.stream = static_cast<std::uint32_t>(position);
  inputs.most_steps = most_steps;
  auto words = std::make_shared<std::vector<std::uint64_t>>();
  Compute(problem.structure[position].compute, names).run(inputs, made, *words);
  made.words = std::move(words);
}

}  // namespace podium::problem
