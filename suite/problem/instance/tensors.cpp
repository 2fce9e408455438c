// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A workload's structure and tensors: extents, strides, fills, room in memory.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/instance/faults.hpp"
#include "suite/problem/instance/instantiation.hpp"
#include "suite/problem/model/fills.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr double most_structure_elements = 1 << 27;  // of one; a GiB while it is computed

}  // namespace

void Instantiation::structure() {
  instance_.structure.reserve(problem_.structure.size());  // scope_ points to them
  for (const Structure& structure : problem_.structure) {
    const std::string key = "structure." + structure.name;
    StructureInstance made;
    made.name = structure.name;
    made.dtype = structure.dtype;
    made.visible = structure.visible;
    double elements = 1;
    for (std::size_t axis = 0; axis < structure.shape.size(); ++axis) {
      made.extents.push_back(extent(structure.shape[axis], fmt::format("{}.shape[{}]", key, axis)));
      elements *= static_cast<double>(made.extents.back());
    }
    if (elements > most_structure_elements)
      return note(structure.at, key + ".shape",
                  fmt::format("found {:.0f} elements, expected at most {:.0f}: structure is small data",
                              elements, most_structure_elements));
    made.elements = static_cast<std::int64_t>(elements);
    made.bytes = made.elements * info(made.dtype).bytes;
    made.used = made.extents.empty() ? 1 : made.extents[0];
    instance_.structure.push_back(std::move(made));
    StructureInstance& kept = instance_.structure.back();
    scope_.structure[structure.name] = &kept;
    if (failed_ || !structure_seed_) continue;
    compute(structure, kept);
    if (!failed_ && structure.used) kept.used = used(*structure.used, key, kept.used);
    if (failed_) return;
  }
}

void Instantiation::compute(const Structure& structure, StructureInstance& made) {
  try {
    compute_structure(problem_, scope_, *structure_seed_, instance_.structure, made);
  } catch (const ComputeError& error) {
    note(error.at(), fmt::format("structure.{}.compute", structure.name), error.what());
  }
}

std::int64_t Instantiation::used(const Text& formula, const std::string& key, std::int64_t extent) {
  const auto found = within(formula, key + ".used", 0, static_cast<double>(extent), true,
                            fmt::format("a whole number from 0 to its extent, {}", extent));
  return found ? static_cast<std::int64_t>(*found) : extent;
}

void Instantiation::use_part(const Text& formula, const std::string& key, TensorInstance& tensor) {
  if (tensor.extents.empty()) return;
  tensor.extents[0] = used(formula, key, tensor.whole_extent);
  if (tensor.whole_extent > 0) tensor.elements = tensor.elements / tensor.whole_extent * tensor.extents[0];
  tensor.storage = static_cast<std::int64_t>(room(tensor));
  if (const std::string fault = fault_of_layout(tensor); !fault.empty())
    note(formula.at, key + ".used", fault);
}

void Instantiation::add(const Tensor& tensor) {
  const std::string key = "tensors." + tensor.name;
  TensorInstance made;
  made.name = tensor.name;
  made.role = tensor.role;
  made.visible = tensor.visible;
  const auto type = choice_.types.find(tensor.type);
  made.dtype = type != choice_.types.end() ? type->second : dtype_named(tensor.type).value_or(Dtype::f32);
  double elements = 1;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    made.extents.push_back(extent(tensor.shape[axis], fmt::format("{}.shape[{}]", key, axis)));
    elements *= static_cast<double>(made.extents.back());
  }
  bool strides = true;
  for (std::size_t axis = 0; axis < tensor.strides.size(); ++axis) {
    const auto stride = whole(tensor.strides[axis], fmt::format("{}.strides[{}]", key, axis), 0,
                              "a stride that is whole, not negative and below 2^53");
    strides = strides && stride;
    made.strides.push_back(stride.value_or(0));
  }
  made.layout = tensor.layout;
  const double bytes = std::max(elements, room(made)) * info(made.dtype).bits / 8;
  if (bytes > largest) {
    note(tensor.at, key + ".shape", fmt::format("found {:.3g} bytes, expected fewer than 2^53", bytes));
    elements = 0;
  }
  made.elements = static_cast<std::int64_t>(elements);
  made.storage = bytes > largest ? 0 : static_cast<std::int64_t>(room(made));
  made.whole_extent = made.extents.empty() ? 1 : made.extents[0];
  made.whole_bytes = made.storage * info(made.dtype).bits / 8;
  made.per_rank = tensor.per_rank;
  if (!made.extents.empty()) hold_part(tensor, made.extents[0], key);
  const std::string fault = strides && bytes <= largest ? fault_of_layout(made) : "";
  if (!fault.empty()) note(tensor.at, key, fault);
  if (tensor.used && fault.empty() && bytes <= largest) use_part(*tensor.used, key, made);
  made.content = made.elements * info(made.dtype).bits / 8;
  made.bytes = made.storage * info(made.dtype).bits / 8;
  if (tensor.role != Role::output) {
    const auto own = workload_.fills.find(tensor.name);
    fill(made, own == workload_.fills.end() ? tensor.fill : own->second);
  }
  if (tensor.role != Role::input) {
    finite(tensor.tolerance.ulp, key + ".tolerance.ulp", 0, "a number that is not negative");
    const Text& growth = tensor.tolerance.growth;
    if (!tensor.tolerance.growth_by_index)
      finite(growth, key + ".tolerance.growth", 0, "a number that is not negative");
    else
      try_element_formula(tensor.name, growth);
    if (const std::size_t r = reference_named(problem_, tensor.name);
        r != no_reference && !problem_.references[r].any.text.empty())
      try_element_formula(tensor.name, problem_.references[r].any);
    made.accumulate_eps = accumulate_eps(tensor.tolerance, choice_);
  }
  instance_.tensors.push_back(std::move(made));
}

// Whether the first axis can be divided between the ranks as the problem says.
void Instantiation::hold_part(const Tensor& tensor, std::int64_t extent, const std::string& key) {
  if (tensor.per_rank == PerRank::each && extent != choice_.ranks)
    note(tensor.shape[0].at, key + ".shape[0]",
         fmt::format("found {} = {}, expected {}, the number of ranks: the tensor is per_rank: each",
                     yaml::excerpt(tensor.shape[0].text), extent, choice_.ranks));
  if (tensor.per_rank == PerRank::shard && extent % choice_.ranks != 0)
    note(tensor.shape[0].at, key + ".shape[0]",
         fmt::format("found {} = {}, expected a multiple of {}, the number of ranks: each has an equal part",
                     yaml::excerpt(tensor.shape[0].text), extent, choice_.ranks));
}

void Instantiation::try_element_formula(const std::string& tensor, const Text& formula) {
  if (const std::string fault = fault_of_element_formula(problem_, tensor, formula, scope_); !fault.empty())
    note(formula.at, formula.key, fault);
}

void Instantiation::fill(TensorInstance& tensor, const Fill& fill) {
  const std::string key = "fill of " + tensor.name;
  constexpr double lowest = std::numeric_limits<double>::lowest();
  const auto first = finite(fill.first, key, lowest, "a finite number");
  const auto second = finite(fill.second, key, lowest, "a finite number");
  tensor.fill = fill.kind;
  tensor.ready_fill = fill.ready;
  tensor.fill_first = first.value_or(0);
  tensor.fill_second = second.value_or(0);
  if (!first || !second) return;
  tensor.fill_row = fill.over_tensor || tensor.extents.empty() ? tensor.elements : tensor.extents.back();
  tensor.fill_number = number_of_value_fill(problem_, tensor.name, fill);
  if (const std::string fault = fault_of_fill(tensor); !fault.empty()) note(fill.at, key, fault);
  if (fill.kind != Fill::Kind::derived) return;
  tensor.fill_reference = reference_named(problem_, fill.reference);
  if (workload_.stage != Stage::test && needs_host(problem_, problem_.references.at(tensor.fill_reference)))
    note(fill.at, key,
         "found a fill that needs the form host, which only test workloads evaluate, expected another form");
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
