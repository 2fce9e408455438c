// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of structure: computed, as formulas want them, and as they are stored.
#include <bit>
#include <cstring>

#include "suite/problem/instance.hpp"
#include "suite/problem/parsing.hpp"

namespace podium::problem {

double StructureInstance::number(std::int64_t element) const {
  const std::uint64_t word = (*words)[static_cast<std::size_t>(element)];
  return info(dtype).floating ? std::bit_cast<double>(word)
                              : static_cast<double>(static_cast<std::int64_t>(word));
}

std::vector<std::byte> StructureInstance::packed() const {
  const auto width = static_cast<std::size_t>(info(dtype).bytes);
  std::vector<std::byte> packed(words->size() * width);
  for (std::size_t k = 0; k < words->size(); ++k) {
    std::uint64_t bits = (*words)[k];
    if (dtype == Dtype::f32)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    std::memcpy(packed.data() + k * width, &bits, width);
  }
  return packed;
}

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
