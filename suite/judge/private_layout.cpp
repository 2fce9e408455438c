// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/private_layout.hpp"
#include "suite/problem/formula/reference_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/problem/checks/checks.hpp"
#include "suite/problem/formula/dependent_range.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/program/launch.hpp"
#include "suite/problem/program/reduce.hpp"

namespace podium::judge {
namespace {

constexpr double too_many = 0x1p53;

std::int64_t whole(const problem::Problem& problem, const problem::Instance& instance,
                   const problem::Text& formula) {
  const double value = problem::evaluate(problem, instance, formula);
  if (std::abs(value) < too_many && value == std::floor(value)) return static_cast<std::int64_t>(value);
  throw Error(fmt::format("{}:{}: found the bound \"{}\" to be {}, expected a whole number below 2^53",
                          formula.at.file, formula.at.line, formula.text, value));
}

Bounds bounds(const problem::Problem& problem, const problem::Instance& instance,
              const problem::Index& index) {
  const std::int64_t low = whole(problem, instance, index.low), high = whole(problem, instance, index.high);
  return {low, std::max<std::int64_t>(high - low, 0)};
}

}  // namespace

std::int64_t region_bytes() { return most_groups * static_cast<std::int64_t>(sizeof(program::Comparison)); }

// Half as many again as there are elements: searches stay short.
std::int64_t table_slots(const problem::TensorInstance& tensor) {
  const std::int64_t row = tensor.extents.empty() ? 1 : tensor.extents.back();
  return row + row / 2 + 1;
}
std::int64_t table_bytes(const problem::TensorInstance& tensor) {
  const std::int64_t row = tensor.extents.empty() ? 1 : tensor.extents.back();
  return row == 0 ? 0 : tensor.elements / row * table_slots(tensor) * 4;
}

bool needed_by_fill(const problem::Evaluation& evaluation, const problem::Instance& instance) {
  return std::any_of(evaluation.fills.begin(), evaluation.fills.end(), [&](std::size_t fill) {
    return std::any_of(instance.tensors.begin(), instance.tensors.end(), [&](const auto& tensor) {
      return tensor.fill == problem::Fill::Kind::derived && tensor.fill_reference == fill;
    });
  });
}

PrivateLayout lay_out(const problem::Plan& plan, const problem::Problem& problem,
                      const problem::Instance& instance, bool full) {
  PrivateLayout layout;
  const auto take = [&layout](std::int64_t bytes) {
    const std::int64_t at = layout.bytes;
    layout.bytes += (bytes + private_alignment - 1) / private_alignment * private_alignment;
    return at;
  };
  for (const auto& reference : problem.references) {
    auto& ranges = layout.ranges.emplace_back();
    for (const auto& index : reference.index) ranges.push_back(bounds(problem, instance, index));
    for (std::size_t k = 0; k < reference.over.size(); ++k)
      ranges.push_back(
          reference.over[k].dependent
              ? Bounds{0, problem::most_values(reference, k, problem::scope_of(problem, instance))}
              : bounds(problem, instance, reference.over[k]));
  }
  for (const auto& tensor : instance.tensors) layout.tensors.push_back(take(tensor.bytes));
  for (const auto& tensor : instance.tensors)
    layout.initials.push_back(tensor.role == problem::Role::inout ? take(tensor.bytes) : -1);
  std::int64_t tables = 0;  // checks follow one another
  for (const auto& check : problem.checks)
    for (const auto& tensor : instance.tensors)
      if (check.builtin && check.builtin->hash_tables && tensor.name == check.tensor)
        tables = std::max(tables, table_bytes(tensor));
  layout.tables = take(tables);
  for (const auto& set : plan.sets()) {
    const Bounds range = bounds(problem, instance, {set.index, set.low, set.high});
    const std::int64_t wanted = set.drawn + 2 + most_suspects * set.outputs;
    const std::int64_t capacity = full ? range.extent : std::min(range.extent, wanted);
    layout.sets.push_back(range);
    layout.capacity.push_back(capacity);
    layout.lists.push_back(take(capacity < range.extent ? 8 * capacity : 0));
  }
  std::vector<problem::Dtype> dtypes;
  for (const auto& tensor : instance.tensors) dtypes.push_back(tensor.dtype);
  const bool compensated = problem::compensates(problem, dtypes);
  std::int64_t errors = 0;  // scatters follow one another
  const auto place = [&](const problem::Evaluation& evaluation) {
    if (evaluation.fill() && !needed_by_fill(evaluation, instance)) {
      layout.values.push_back(-1);
      layout.magnitudes.push_back(-1);
      return;
    }
    double elements = 1;
    for (std::size_t k = 0; k < evaluation.sets.size(); ++k)
      elements *= static_cast<double>(evaluation.sets[k] == problem::whole_range
                                          ? layout.ranges[evaluation.reference][k].extent
                                          : layout.capacity[static_cast<std::size_t>(evaluation.sets[k])]);
    const auto& reference = problem.references[evaluation.reference];
    if (elements >= too_many)
      throw Error(fmt::format(
          "{}:{}: found reference {} to need {:.3g} elements, expected fewer than 2^53; sample its indices",
          reference.at.file, reference.at.line, reference.name, elements));
    const std::int64_t bytes = 8 * static_cast<std::int64_t>(elements);
    layout.values.push_back(take(bytes));
    layout.magnitudes.push_back(evaluation.magnitude ? take(bytes) : -1);
    if (reference.form->joins && reference.op == problem::Reference::Op::sum && compensated)
      errors = std::max(errors, bytes);
    if (reference.form->ranks) {
      const std::int64_t length = layout.ranges[evaluation.reference].back().extent;
      const double lines =
          elements /
          std::max(1.0, static_cast<double>(
                            layout.ranges[evaluation.reference][reference.index.size() - 1].extent));
      const double all = lines * static_cast<double>(length);
      layout.sorted = std::max({layout.sorted, length,
                                static_cast<std::int64_t>(std::min(all, static_cast<double>(most_sorted)))});
    }
  };
  const std::int64_t begin = layout.bytes;
  for (const auto& evaluation : plan.evaluations())  // those for fills come first
    if (evaluation.fill()) place(evaluation);
  const std::int64_t end_of_fills = std::exchange(layout.bytes, begin);  // verifications follow them
  for (const auto& evaluation : plan.evaluations())
    if (!evaluation.fill()) place(evaluation);
  layout.bytes = std::max(layout.bytes, end_of_fills);
  const auto outputs = std::count_if(instance.tensors.begin(), instance.tensors.end(),
                                     [](const auto& tensor) { return tensor.role != problem::Role::input; });
  layout.regions =
      least_regions + 2 * static_cast<int>(outputs) + 2 * static_cast<int>(problem.checks.size());
  layout.parts = take(most_parts * static_cast<std::int64_t>(
                                       sizeof(program::Total<program::Op::sum, program::Number, true>)));
  if (errors > 0) layout.errors = take(errors);
  layout.sort = take(2 * sort_pair_bytes * layout.sorted);
  layout.fault = take(fault_kinds * static_cast<std::int64_t>(sizeof(program::Fault)));
  return layout;
}

}  // namespace podium::judge
