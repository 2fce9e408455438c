// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Evaluates a workload's formulas and holds their values against what they must be.
#include "suite/problem/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "suite/base/error.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

constexpr double too_large = 0x1p53;  // whole numbers beyond are not exact in fp64

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
    const std::size_t before = mistakes_.count();
    parameters();
    axes();
    if (mistakes_.count() != before) return std::nullopt;  // everything else depends on them
    for (const Text& condition : problem_.conditions)
      if (!(value(condition, "conditions") != 0))
        note(condition.at, "conditions", condition, "not to hold", "it to hold");
    for (const Tensor& tensor : problem_.tensors) add(tensor);
    for (const Reference& reference : problem_.references) ranges(reference);
    for (const Check& check : problem_.checks) same_size(check);
    costs();
    return mistakes_.count() == before ? std::optional(instance_) : std::nullopt;
  }

 private:
  std::string where() const {
    return fmt::format(" in the {} workload {} (line {}){}", name_of(workload_.stage), workload_.name,
                       workload_.at.line, problem_.choices.size() > 1 ? " on the board " + choice_.name : "");
  }

  void note(const Location& at, const std::string& key, const Text& formula, const std::string& found,
            const std::string& expected) {
    mistakes_.add(
        at, key,
        fmt::format("found \"{}\" {}{}, expected {}", yaml::excerpt(formula.text), found, where(), expected));
  }

  double value(const Text& formula, const std::string& key) {
    try {
      return evaluate(formula.text, scope_);
    } catch (const Error& error) {
      mistakes_.add(formula.at, key, error.what() + where());
      return std::nan("");
    }
  }

  // A whole number in [low, 2^53), or `low` after noting a mistake.
  std::int64_t whole(const Text& formula, const std::string& key, double low, const std::string& expected) {
    const double number = value(formula, key);
    if (number >= low && number < too_large && number == std::floor(number))
      return static_cast<std::int64_t>(number);
    note(formula.at, key, formula, fmt::format("to be {}", number), expected);
    return static_cast<std::int64_t>(low);
  }

  double finite(const Text& formula, const std::string& key, double low, const std::string& expected) {
    const double number = value(formula, key);
    if (std::isfinite(number) && number >= low) return number;
    note(formula.at, key, formula, fmt::format("to be {}", number), expected);
    return low;
  }

  void parameters() {
    for (const auto& parameter : problem_.parameters) {
      const auto set = workload_.parameters.find(parameter.name);
      const double number = set == workload_.parameters.end() ? 0 : set->second;
      if (set == workload_.parameters.end())
        mistakes_.add(workload_.at, parameter.name, "found nothing" + where() + ", expected a number");
      instance_.parameters.push_back(number);
      scope_.numbers[parameter.name] = number;
    }
  }

  void axes() {
    const auto& axes = problem_.axes;
    std::vector<std::vector<std::size_t>> uses(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!axes[i].formula) continue;
      for (const std::string& name : names_in(axes[i].formula->text))
        for (std::size_t k = 0; k < axes.size(); ++k)
          if (axes[k].name == name) uses[i].push_back(k);
    }
    const Order order = dependency_order(uses);
    if (!order.cycle.empty()) {
      const auto& axis = axes[order.cycle[0]];
      return mistakes_.add(axis.formula->at, "axes." + axis.name,
                           "found a formula that needs itself, expected none to");
    }
    instance_.axes.resize(axes.size());
    for (const std::size_t i : order.order) {
      const auto& axis = axes[i];
      const auto set = workload_.axes.find(axis.name);
      if (axis.formula)
        instance_.axes[i] =
            whole(*axis.formula, "axes." + axis.name, -too_large + 1, "a whole number below 2^53");
      else if (set != workload_.axes.end())
        instance_.axes[i] = set->second;
      else
        mistakes_.add(workload_.at, axis.name, "found nothing" + where() + ", expected a whole number");
      scope_.numbers[axis.name] = static_cast<double>(instance_.axes[i]);
    }
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
                                   "an extent that is whole, not negative and below 2^53"));
      elements *= static_cast<double>(made.extents.back());
    }
    const int width = info(made.dtype).bytes;
    if (elements * width >= too_large) {
      mistakes_.add(tensor.at, key + ".shape",
                    fmt::format("found {:.3g} bytes{}, expected fewer than 2^53", elements * width, where()));
      elements = 0;
    }
    made.elements = static_cast<std::int64_t>(elements);
    made.bytes = made.elements * width;
    if (tensor.role == Role::input) {
      const auto own = workload_.fills.find(tensor.name);
      fill(made, own == workload_.fills.end() ? tensor.fill : own->second);
    } else {
      finite(tensor.tolerance.ulp, key + ".tolerance.ulp", 0, "a number that is not negative");
      finite(tensor.tolerance.growth, key + ".tolerance.growth", 0, "a number that is not negative");
    }
    instance_.tensors.push_back(std::move(made));
  }

  void fill(TensorInstance& tensor, const Fill& fill) {
    const std::string key = fmt::format("fill of {}", tensor.name);
    const DtypeInfo& dtype = info(tensor.dtype);
    const auto refuse = [&](const std::string& sentence) { mistakes_.add(fill.at, key, sentence + where()); };
    constexpr double lowest = std::numeric_limits<double>::lowest();
    const std::string number = "a finite number";
    tensor.fill = fill.kind;
    tensor.fill_first = fill.first.text.empty() ? 0 : finite(fill.first, key, lowest, number);
    tensor.fill_second = fill.second.text.empty() ? 0 : finite(fill.second, key, lowest, number);
    const double first = tensor.fill_first, second = tensor.fill_second;
    double low = 0, high = 0;  // that the dtype must hold
    switch (fill.kind) {
      case Fill::Kind::zeros:
      case Fill::Kind::ones:
        return;
      case Fill::Kind::normal:
        if (second < 0) refuse(fmt::format("found stddev {}, expected at least 0", second));
        low = high = first;
        break;
      case Fill::Kind::uniform:
      case Fill::Kind::integers:
        if (first > second)
          refuse(fmt::format("found low {} above high {}, expected low first", first, second));
        low = first;
        high = second;
        break;
      case Fill::Kind::sequence: {
        const double last =
            first + second * static_cast<double>(std::max<std::int64_t>(tensor.elements - 1, 0));
        low = std::min(first, last);
        high = std::max(first, last);
        break;
      }
    }
    const bool real = fill.kind == Fill::Kind::normal || fill.kind == Fill::Kind::uniform;
    if (real && !dtype.floating)
      return refuse(fmt::format("found {} for {}, expected integers, sequence, zeros or ones",
                                fill.kind == Fill::Kind::normal ? "normal" : "uniform", dtype.name));
    const bool fractional = first != std::floor(first) || second != std::floor(second);
    if (fractional && (fill.kind == Fill::Kind::integers || (!dtype.floating && !real)))
      refuse(fmt::format("found {} and {}, expected whole numbers", first, second));
    const double least = dtype.floating ? -dtype.largest : dtype.name[0] == 'i' ? -dtype.largest - 1 : 0;
    if (low < least || high > dtype.largest)
      refuse(fmt::format("found numbers from {} to {}, expected what {} holds: {} to {}", low, high,
                         dtype.name, least, dtype.largest));
  }

  void ranges(const Reference& reference) {
    const auto check = [&](const Index& index) {
      const std::string key = fmt::format("reference.{}, index {}", reference.name, index.name);
      const auto low = whole(index.low, key, -too_large + 1, "a whole number below 2^53");
      const auto high = whole(index.high, key, -too_large + 1, "a whole number below 2^53");
      if (high < low)
        note(index.high.at, key, index.high, fmt::format("to be {}, below the range's start {}", high, low),
             "a range that does not end before it begins");
    };
    std::for_each(reference.index.begin(), reference.index.end(), check);
    std::for_each(reference.over.begin(), reference.over.end(), check);
  }

  void same_size(const Check& check) {
    if (check.kind != Check::Kind::permutation) return;
    std::int64_t sizes[2] = {0, 0};
    for (const TensorInstance& tensor : instance_.tensors) {
      if (tensor.name == check.tensor) sizes[0] = tensor.elements;
      if (tensor.name == check.of) sizes[1] = tensor.elements;
    }
    if (sizes[0] != sizes[1])
      mistakes_.add(check.at, "checks." + check.name,
                    fmt::format("found {} elements of {} and {} of {}{}, expected equally many", sizes[0],
                                check.tensor, sizes[1], check.of, where()));
  }

  void costs() {
    double all = 0;
    for (const TensorInstance& tensor : instance_.tensors) all += static_cast<double>(tensor.bytes);
    const std::string number = "a finite number that is not negative";
    instance_.bytes = problem_.bytes ? finite(*problem_.bytes, "cost.bytes", 0, number) : all;
    instance_.flops = problem_.flops ? finite(*problem_.flops, "cost.flops", 0, number) : 0;
    if (problem_.memory_limit > 0 && all > static_cast<double>(problem_.memory_limit))
      mistakes_.add(workload_.at, "requires.memory",
                    fmt::format("found tensors of {} bytes{}, expected at most the {} bytes stated", all,
                                where(), problem_.memory_limit));
  }

  const Problem& problem_;
  const Choice& choice_;
  const Workload& workload_;
  Mistakes& mistakes_;
  Scope scope_;
  Instance instance_;
};

}  // namespace

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
