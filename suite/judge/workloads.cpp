// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/workloads.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::judge {

const problem::Instance& Workloads::add(int index) {
  const auto& stated = problem_.workloads.at(static_cast<std::size_t>(index));
  Known made{.instance = instantiate(problem_, choice_, stated)};
  return known_.insert_or_assign(index, std::move(made)).first->second.instance;
}

const problem::Instance& Workloads::of_round(int index, std::int64_t round, const Secret& secret,
                                             std::uint64_t seed) {
  Known& known = known_.at(index);
  if (problem_.structure.empty() || (seed == 0 && known.drawn && known.round == round)) return known.instance;
  known.drawn = false;
  known.packed.reset();
  for (auto& structure : known.instance.structure) structure.words.reset();  // memory for the next ones
  const auto& stated = problem_.workloads.at(static_cast<std::size_t>(index));
  known.seed =
      seed != 0 ? seed : seed_of(secret, "structure", {problem_.name, choice_.name, stated.name, round});
  known.instance = instantiate(problem_, choice_, stated, known.seed);
  known.drawn = true;
  known.round = round;
  return known.instance;
}

std::shared_ptr<const PackedStructure> Workloads::structure(int index) {
  Known& known = known_.at(index);
  if (!known.packed) known.packed = std::make_shared<PackedStructure>(device_, known.instance);
  return known.packed;
}

}  // namespace podium::judge
