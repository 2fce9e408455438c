// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Evaluates a workload's formulas and holds their values against what they must be.
#include "suite/problem/instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/base/error.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

constexpr double largest = static_cast<double>(largest_whole);

class Instantiation {
 public:
  Instantiation(const Problem& problem, const Choice& choice, const Workload& workload, Mistakes& mistakes)
      : problem_(problem), choice_(choice), workload_(workload), mistakes_(mistakes) {
    scope_.types.insert(choice.types.begin(), choice.types.end());
    for (const auto& constant : problem.constants) scope_.numbers[constant.name] = constant.value;
    instance_.workload = workload.name;
    instance_.stage = workload.stage;
  }

  std::optional<Instance> run() {
    parameters();
    axes();
    if (failed_) return std::nullopt;  // everything else depends on them
    for (const Text& condition : problem_.conditions) hold(condition);
    if (failed_) return std::nullopt;  // a condition may keep the rest sound
    for (const Tensor& tensor : problem_.tensors) add(tensor);
    if (failed_) return std::nullopt;  // shapes are the ranges of outputs' references
    for (const Reference& reference : problem_.references) ranges(reference);
    for (const Check& check : problem_.checks) hold(check);
    costs();
    return failed_ ? std::nullopt : std::optional(instance_);
  }

 private:
  std::string where() const {
    const std::string board = problem_.choices.size() > 1 ? ", board " + choice_.name : "";
    return fmt::format("in the {} workload {} (line {}{}) ", name_of(workload_.stage), workload_.name,
                       workload_.at.line, board);
  }

  // Each key's first workload speaks for all.
  void note(const Location& at, const std::string& key, const std::string& sentence) {
    failed_ = true;
    mistakes_.add_once(at, key, where() + sentence);
  }

  // Nothing after noting a mistake. A problem without a mistake of its own only fails here by its numbers.
  std::optional<double> value(const Text& formula, const std::string& key) {
    try {
      return evaluate(formula.text, scope_);
    } catch (const Error& error) {
      note(formula.at, key, error.what());
      return std::nullopt;
    }
  }

  // Finite and within [low, high], else nothing and a mistake.
  std::optional<double> within(const Text& formula, const std::string& key, double low, double high,
                               bool whole, const std::string& expected) {
    const auto number = value(formula, key);
    if (!number) return std::nullopt;
    if (*number >= low && *number <= high && (!whole || *number == std::floor(*number))) return number;
    const std::string equal = formula.text == fmt::format("{}", *number) ? "" : fmt::format(" = {}", *number);
    note(formula.at, key,
         fmt::format("found {}{}, expected {}", yaml::excerpt(formula.text), equal, expected));
    return std::nullopt;
  }

  std::optional<std::int64_t> whole(const Text& formula, const std::string& key, double low,
                                    const std::string& expected) {
    const auto number = within(formula, key, low, largest, true, expected);
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
  }

  // 0 where the file states nothing.
  std::optional<double> finite(const Text& formula, const std::string& key, double low,
                               const std::string& expected) {
    if (formula.text.empty()) return 0.0;
    return within(formula, key, low, std::numeric_limits<double>::max(), false, expected);
  }

  void parameters() {
    for (const auto& parameter : problem_.parameters) {
      const auto set = workload_.parameters.find(parameter.name);
      const bool missing = set == workload_.parameters.end();
      if (missing) note(workload_.at, parameter.name, "found nothing, expected a number");
      instance_.parameters.push_back(missing ? 0 : set->second);
      scope_.numbers[parameter.name] = instance_.parameters.back();
    }
  }

  void axes() {
    const auto& axes = problem_.axes;
    const Order order = dependency_order(uses_of_axes(problem_));
    if (!order.cycle.empty()) {
      const auto& axis = axes[order.cycle[0]];
      return note(axis.formula->at, "axes." + axis.name,
                  "found a formula that needs itself, expected none to");
    }
    instance_.axes.resize(axes.size());
    for (const std::size_t i : order.order) {
      const auto& axis = axes[i];
      const auto set = workload_.axes.find(axis.name);
      if (axis.formula)
        instance_.axes[i] =
            whole(*axis.formula, "axes." + axis.name, -largest, "a whole number below 2^53").value_or(0);
      else if (set != workload_.axes.end())
        instance_.axes[i] = set->second;
      else
        note(workload_.at, axis.name, "found nothing, expected a whole number");
      scope_.numbers[axis.name] = static_cast<double>(instance_.axes[i]);
    }
  }

  // Every workload that breaks a condition is named.
  void hold(const Text& condition) {
    const auto holds = value(condition, "conditions");
    if (!holds || (*holds != 0 && !std::isnan(*holds))) return;
    failed_ = true;
    mistakes_.add(condition.at, "conditions",
                  fmt::format("{}found that \"{}\" does not hold, expected it to; change the workload",
                              where(), yaml::excerpt(condition.text)));
  }

  void add(const Tensor& tensor) {
    const std::string key = "tensors." + tensor.name;
    TensorInstance made;
    made.name = tensor.name;
    made.role = tensor.role;
    const auto type = choice_.types.find(tensor.type);
    made.dtype = type != choice_.types.end() ? type->second : dtype_named(tensor.type).value_or(Dtype::f32);
    double elements = 1;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      made.extents.push_back(whole(tensor.shape[axis], fmt::format("{}.shape[{}]", key, axis), 0,
                                   "an extent that is whole, not negative and below 2^53")
                                 .value_or(0));
      elements *= static_cast<double>(made.extents.back());
    }
    const int width = info(made.dtype).bytes;
    if (elements * width > largest) {
      note(tensor.at, key + ".shape",
           fmt::format("found {:.3g} bytes, expected fewer than 2^53", elements * width));
      elements = 0;
    }
    made.elements = static_cast<std::int64_t>(elements);
    made.bytes = made.elements * width;
    if (tensor.role != Role::output) {
      const auto own = workload_.fills.find(tensor.name);
      fill(made, own == workload_.fills.end() ? tensor.fill : own->second);
    }
    if (tensor.role != Role::input) {
      finite(tensor.tolerance.ulp, key + ".tolerance.ulp", 0, "a number that is not negative");
      finite(tensor.tolerance.growth, key + ".tolerance.growth", 0, "a number that is not negative");
    }
    instance_.tensors.push_back(std::move(made));
  }

  void fill(TensorInstance& tensor, const Fill& fill) {
    const std::string key = "fill of " + tensor.name;
    constexpr double lowest = std::numeric_limits<double>::lowest();
    const auto first = finite(fill.first, key, lowest, "a finite number");
    const auto second = finite(fill.second, key, lowest, "a finite number");
    tensor.fill = fill.kind;
    tensor.fill_first = first.value_or(0);
    tensor.fill_second = second.value_or(0);
    if (!first || !second) return;
    if (const std::string fault = fault_of_fill(tensor); !fault.empty()) note(fill.at, key, fault);
  }

  void ranges(const Reference& reference) {
    const auto check = [&](const Index& index) {
      const std::string key = reference.probe ? fmt::format("probe.{}.shape", reference.name)
                              : reference.check
                                  ? fmt::format("{}, index {}", reference.name, index.name)
                                  : fmt::format("reference.{}, index {}", reference.name, index.name);
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

  const TensorInstance& made(const std::string& name) const {
    return *std::find_if(instance_.tensors.begin(), instance_.tensors.end(),
                         [&](const TensorInstance& tensor) { return tensor.name == name; });
  }

  void hold(const Check& check) {
    const std::string key = "checks." + check.name;
    finite(check.limit, key + ".limit", 0, "a finite number that is not negative");
    if (check.kind == Check::Kind::permutation) {
      std::vector<std::string> others = check.with;
      others.push_back(check.of);
      others.insert(others.end(), check.of_with.begin(), check.of_with.end());
      const TensorInstance& first = made(check.tensor);
      for (const std::string& name : others)
        if (made(name).elements != first.elements)
          note(check.at, key,
               fmt::format("found {} elements of {} and {} of {}, expected equally many", first.elements,
                           first.name, made(name).elements, name));
    }
    if (check.kind == Check::Kind::stable && made(check.tensor).extents != made(check.with[0]).extents)
      note(check.at, key,
           fmt::format("found {} of shape [{}] and {} of shape [{}], expected one shape", check.tensor,
                       fmt::join(made(check.tensor).extents, ", "), check.with[0],
                       fmt::join(made(check.with[0]).extents, ", ")));
    constexpr std::int64_t longest = (std::int64_t{1} << 32) - 2;
    if (check.kind == Check::Kind::distinct && made(check.tensor).extents.back() > longest)
      note(check.at, key,
           fmt::format("found {} elements along the last axis of {}, expected fewer than 2^32 - 1",
                       made(check.tensor).extents.back(), check.tensor));
  }

  void costs() {
    double all = 0, traffic = 0;
    for (const TensorInstance& tensor : instance_.tensors) {
      all += static_cast<double>(tensor.bytes);
      traffic +=
          static_cast<double>(tensor.bytes) * (tensor.role == Role::inout ? 2 : 1);  // read and written
    }
    const std::string number = "a finite number that is not negative";
    instance_.bytes = problem_.bytes ? finite(*problem_.bytes, "cost.bytes", 0, number).value_or(0) : traffic;
    instance_.flops = problem_.flops ? finite(*problem_.flops, "cost.flops", 0, number).value_or(0) : 0;
    if (problem_.memory_limit > 0 && all > static_cast<double>(problem_.memory_limit))
      note(workload_.at, "requires.memory",
           fmt::format("found tensors of {} bytes, expected at most the {} bytes stated", all,
                       problem_.memory_limit));
  }

  const Problem& problem_;
  const Choice& choice_;
  const Workload& workload_;
  Mistakes& mistakes_;
  Scope scope_;
  Instance instance_;
  bool failed_ = false;
};

}  // namespace

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
                                    Mistakes& mistakes) {
  return Instantiation(problem, choice, workload, mistakes).run();
}

Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload) {
  Mistakes mistakes;
  const auto instance = instantiate(problem, choice, workload, mistakes);
  mistakes.raise();
  return *instance;
}

bool on_board(const Workload& workload, const Choice& choice) {
  return std::all_of(workload.types.begin(), workload.types.end(), [&](const auto& type) {
    const auto chosen = choice.types.find(type.first);
    return chosen != choice.types.end() && info(chosen->second).name == type.second;
  });
}

double evaluate(const Problem& problem, const Instance& instance, const Text& formula) {
  Scope scope;
  for (const auto& constant : problem.constants) scope.numbers[constant.name] = constant.value;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    scope.numbers[problem.axes[i].name] = static_cast<double>(instance.axes[i]);
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    scope.numbers[problem.parameters[i].name] = instance.parameters[i];
  // Every key of `types` is some tensor's.
  for (std::size_t i = 0; i < problem.tensors.size(); ++i)
    if (!dtype_named(problem.tensors[i].type))
      scope.types[problem.tensors[i].type] = instance.tensors[i].dtype;
  try {
    return evaluate(formula.text, scope);
  } catch (const Error& error) {
    throw Error(fmt::format("{}:{}: {}", formula.at.file, formula.at.line, error.what()), error.exit());
  }
}

}  // namespace podium::problem
