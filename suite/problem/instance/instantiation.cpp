// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Evaluates a workload's formulas and holds their values against what they must be.
#include "suite/problem/instance/instantiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/base/error.hpp"
#include "suite/problem/checks/checks.hpp"
#include "suite/problem/formula/dependency.hpp"
#include "suite/problem/formula/dependent_range.hpp"
#include "suite/problem/instance/faults.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

std::optional<Instance> Instantiation::run() {
  parameters();
  axes();
  if (failed_) return std::nullopt;  // everything else depends on them
  structure();
  if (failed_) return std::nullopt;  // likewise
  for (std::size_t k = 0; k < problem_.conditions.size(); ++k) hold(k);
  if (failed_) return std::nullopt;  // a condition may keep the rest sound
  for (const Tensor& tensor : problem_.tensors) add(tensor);
  if (failed_) return std::nullopt;  // shapes are the ranges of outputs' references
  for (const Reference& reference : problem_.references) ranges(reference);
  for (const Check& check : problem_.checks) hold(check);
  costs();
  return failed_ ? std::nullopt : std::optional(instance_);
}

std::string Instantiation::where() const {
  const std::string board = problem_.choices.size() > 1 ? ", board " + choice_.name : "";
  return fmt::format("in the {} workload {} (line {}{}) ", name_of(workload_.stage), workload_.name,
                     workload_.at.line, board);
}

void Instantiation::note(const Location& at, const std::string& key, const std::string& sentence) {
  failed_ = true;
  mistakes_.add_once(at, key, where() + sentence);
}

bool Instantiation::left_open(const Text& formula) const {
  return !structure_seed_ && !scope_.structure.empty() && !structure_in(formula.text, scope_).empty();
}

std::optional<double> Instantiation::value(const Text& formula, const std::string& key) {
  if (left_open(formula)) return std::nullopt;
  try {
    return evaluate(formula.text, scope_);
  } catch (const Error& error) {
    note(formula.at, key, error.what());
    return std::nullopt;
  }
}

std::optional<double> Instantiation::within(const Text& formula, const std::string& key, double low,
                                            double high, bool whole, const std::string& expected) {
  const auto number = value(formula, key);
  if (!number) return std::nullopt;
  if (*number >= low && *number <= high && (!whole || *number == std::floor(*number))) return number;
  const std::string equal = formula.text == fmt::format("{}", *number) ? "" : fmt::format(" = {}", *number);
  // Several shapes may have the same extent; the first speaks for all.
  failed_ = true;
  if (refused_.insert(formula.text).second)
    note(formula.at, key,
         fmt::format("found {}{}, expected {}", yaml::excerpt(formula.text), equal, expected));
  return std::nullopt;
}

std::optional<std::int64_t> Instantiation::whole(const Text& formula, const std::string& key, double low,
                                                 const std::string& expected) {
  const auto number = within(formula, key, low, largest, true, expected);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<double> Instantiation::finite(const Text& formula, const std::string& key, double low,
                                            const std::string& expected) {
  if (formula.text.empty()) return 0.0;
  return within(formula, key, low, std::numeric_limits<double>::max(), false, expected);
}

void Instantiation::parameters() {
  for (const auto& parameter : problem_.parameters) {
    const auto set = workload_.parameters.find(parameter.name);
    const bool missing = set == workload_.parameters.end();
    if (missing) note(workload_.at, parameter.name, "found nothing, expected a number");
    instance_.parameters.push_back(missing ? 0 : set->second);
    scope_.numbers[parameter.name] = instance_.parameters.back();
  }
}

void Instantiation::axes() {
  const auto& axes = problem_.axes;
  const Order order = dependency_order(uses_of_axes(problem_));
  if (!order.cycle.empty()) {
    const auto& axis = axes[order.cycle[0]];
    return note(axis.formula->at, "axes." + axis.name, "found a formula that needs itself, expected none to");
  }
  instance_.axes.resize(axes.size());
  for (const std::size_t i : order.order) {
    const auto& axis = axes[i];
    const auto set = workload_.axes.find(axis.name);
    if (axis.formula)
      instance_.axes[i] =
          whole(*axis.formula, "axes." + axis.name, -largest, "a whole number below 2^53").value_or(0);
    else if (axis.ranks)
      instance_.axes[i] = choice_.ranks;
    else if (set != workload_.axes.end())
      instance_.axes[i] = set->second;
    else
      note(workload_.at, axis.name, "found nothing, expected a whole number");
    scope_.numbers[axis.name] = static_cast<double>(instance_.axes[i]);
  }
}

std::int64_t Instantiation::extent(const Text& formula, const std::string& key) {
  return whole(formula, key, 0, "an extent that is whole, not negative and below 2^53").value_or(0);
}

void Instantiation::hold(std::size_t k) {
  const Text& condition = problem_.conditions[k];
  const std::string key = fmt::format("conditions[{}]", k);
  const auto holds = value(condition, key);
  if (!holds || (*holds != 0 && !std::isnan(*holds))) return;
  failed_ = true;
  mistakes_.add(
      condition.at, key,
      fmt::format(
          "{}found that \"{}\" does not hold, expected every workload to meet it; change the workload",
          where(), yaml::excerpt(condition.text)));
}

void Instantiation::ranges(const Reference& reference) {
  const auto check = [&](const Index& index) {
    const std::string key = reference.probe ? fmt::format("probe.{}.shape", reference.name)
                            : reference.check || !reference.fills.empty()
                                ? fmt::format("{}, index {}", reference.name, index.name)
                                : fmt::format("reference.{}, index {}", reference.name, index.name);
    if (index.dependent && !index.most.text.empty()) {
      whole(index.most, key, 0, "a whole number below 2^53");
      return;
    }
    if (index.dependent) try {
        most_values(reference, static_cast<std::size_t>(&index - reference.over.data()), scope_);
        return;
      } catch (const Error& error) {
        return note(index.high.at, key, error.what());
      }
    const auto low = whole(index.low, key, -largest, "a whole number below 2^53");
    const auto high = whole(index.high, key, -largest, "a whole number below 2^53");
    if (low && high && *high < *low)
      note(index.high.at, key,
           fmt::format("found the range [{}, {}], expected one that does not end before it begins", *low,
                       *high));
  };
  std::for_each(reference.index.begin(), reference.index.end(), check);
  std::for_each(reference.over.begin(), reference.over.end(), check);
}

bool Instantiation::follows_structure(const Check& check) const {
  std::vector<std::string> names{check.tensor, check.of};
  names.insert(names.end(), check.with.begin(), check.with.end());
  names.insert(names.end(), check.of_with.begin(), check.of_with.end());
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const Tensor* tensor = problem_.tensor(name);
    return tensor && tensor->used && left_open(*tensor->used);
  });
}

void Instantiation::hold(const Check& check) {
  const std::string key = "checks." + check.name;
  finite(check.limit, key + ".limit", 0, "a finite number that is not negative");
  if (follows_structure(check)) return;  // of shapes that are not known yet
  if (const std::string fault = fault_of_check(check, instance_.tensors); !fault.empty())
    note(check.at, key, fault);
}

// What of the tensors is in one rank's memory counts, where each has a part.
void Instantiation::costs() {
  double allocated = 0, traffic = 0;
  for (const TensorInstance& tensor : instance_.tensors) {
    if (!tensor.visible) continue;
    const double share = tensor.per_rank == PerRank::whole ? 1 : choice_.ranks;
    allocated += static_cast<double>(tensor.whole_bytes) / share;
    traffic += static_cast<double>(tensor.content) / share *
               (tensor.role == Role::inout ? 2 : 1);  // read and written
  }
  for (const StructureInstance& structure : instance_.structure) {
    if (!structure.visible) continue;
    allocated += static_cast<double>(structure.bytes);
    traffic += static_cast<double>(structure.used_elements() * info(structure.dtype).bytes);
  }
  const std::string number = "a finite number that is not negative";
  if (problem_.bytes)
    instance_.bytes = finite(*problem_.bytes, "cost.bytes", 0, number).value_or(0);
  else
    instance_.bytes = problem_.traffic_known ? traffic : 0;
  instance_.ranks = choice_.ranks;
  instance_.link = problem_.link ? finite(*problem_.link, "cost.link", 0, number).value_or(0) : 0;
  if (problem_.symmetric)
    instance_.symmetric = static_cast<double>(
        whole(*problem_.symmetric, "symmetric", 0, "a whole number of bytes").value_or(0));
  instance_.flops = problem_.flops ? finite(*problem_.flops, "cost.flops", 0, number).value_or(0) : 0;
  if (problem_.memory_limit > 0 && allocated > static_cast<double>(problem_.memory_limit))
    note(workload_.at, "requires.memory",
         fmt::format("found tensors of {} bytes, expected at most the {} bytes stated", allocated,
                     problem_.memory_limit));
}

std::vector<std::vector<std::size_t>> uses_of_axes(const Problem& problem) {
  const auto& axes = problem.axes;
  std::vector<std::vector<std::size_t>> uses(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].formula) continue;
    for (const std::string& name : names_in(axes[i].formula->text))
      for (std::size_t k = 0; k < axes.size(); ++k)
        if (axes[k].name == name) uses[i].push_back(k);
  }
  return uses;
}

std::optional<Instance> instantiate(const Problem& problem, const Choice& choice, const Workload& workload,
                                    Mistakes& mistakes, std::optional<std::uint64_t> structure_seed) {
  return Instantiation(problem, choice, workload, mistakes, structure_seed).run();
}

Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload) {
  Mistakes mistakes;
  const auto instance = instantiate(problem, choice, workload, mistakes);
  mistakes.raise();
  return *instance;
}

Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload,
                     std::uint64_t structure_seed) {
  Mistakes mistakes;
  const auto instance = instantiate(problem, choice, workload, mistakes, structure_seed);
  mistakes.raise();
  return *instance;
}

bool on_board(const Workload& workload, const Choice& choice) {
  return (workload.ranks == 0 || workload.ranks == choice.ranks) &&
         std::all_of(workload.types.begin(), workload.types.end(), [&](const auto& type) {
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
