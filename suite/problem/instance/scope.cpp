// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What formulas may ask of an instance once it is made.
#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/problem/instance/faults.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::problem {

bool on_board(const Workload& workload, const Choice& choice) {
  return std::all_of(workload.types.begin(), workload.types.end(), [&](const auto& type) {
    const auto chosen = choice.types.find(type.first);
    return chosen != choice.types.end() && info(chosen->second).name == type.second;
  });
}

Scope scope_of(const Problem& problem, const Instance& instance) {
  Scope scope;
  for (const auto& constant : problem.constants) scope.numbers[constant.name] = constant.value;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    scope.numbers[problem.axes[i].name] = static_cast<double>(instance.axes[i]);
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    scope.numbers[problem.parameters[i].name] = instance.parameters[i];
  for (const StructureInstance& structure : instance.structure) scope.structure[structure.name] = &structure;
  // Every key of `types` is some tensor's.
  for (std::size_t i = 0; i < problem.tensors.size(); ++i)
    if (!dtype_named(problem.tensors[i].type))
      scope.types[problem.tensors[i].type] = instance.tensors[i].dtype;
  return scope;
}

double evaluate(const Problem& problem, const Instance& instance, const Text& formula) {
  const Scope scope = scope_of(problem, instance);
  try {
    return evaluate(formula.text, scope);
  } catch (const Error& error) {
    throw Error(fmt::format("{}:{}: {}", formula.at.file, formula.at.line, error.what()), error.fault());
  }
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
