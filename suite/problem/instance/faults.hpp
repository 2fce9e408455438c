// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Instances, with every mistake noted instead of the first one thrown; internal to suite/problem.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/mistakes.hpp"

namespace podium::problem {

// The numbers of `made`, the last of `structure`; of `scope` it uses numbers. Throws ComputeError.
void compute_structure(const Problem& problem, const Scope& scope, std::uint64_t seed,
                       const std::vector<StructureInstance>& structure, StructureInstance& made,
                       std::int64_t most_steps = most_compute_steps);

// Of a formula that uses the indices of the output `tensor`: what would be wrong with it for any of them.
std::string fault_of_element_formula(const Problem& problem, const std::string& tensor, const Text& formula,
                                     Scope scope);
// For dependency_order(): the axes that each axis's formula uses.
std::vector<std::vector<std::size_t>> uses_of_axes(const Problem& problem);

// As instantiate() of instantiate.hpp, but notes every mistake; nothing after one.
std::optional<Instance> instantiate(const Problem& problem, const Choice& choice, const Workload& workload,
                                    Mistakes& mistakes,
                                    std::optional<std::uint64_t> structure_seed = std::nullopt);

}  // namespace podium::problem
