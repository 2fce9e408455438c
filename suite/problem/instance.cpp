// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Evaluates a workload's formulas and holds their values against what they must be.
#include "suite/problem/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "suite/base/error.hpp"
#include "suite/problem/compute.hpp"
#include "suite/problem/dependency.hpp"
#include "suite/problem/dependent_range.hpp"
#include "suite/problem/generate_fill.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/reference_terms.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

constexpr double largest = static_cast<double>(largest_whole);
constexpr double most_structure_elements = 1 << 27;  // of one; a GiB while it is computed

class Instantiation {
 public:
  Instantiation(const Problem& problem, const Choice& choice, const Workload& workload, Mistakes& mistakes,
                std::optional<std::uint64_t> structure_seed)
      : problem_(problem),
        choice_(choice),
        workload_(workload),
        mistakes_(mistakes),
        structure_seed_(structure_seed) {
    scope_.types.insert(choice.types.begin(), choice.types.end());
    for (const auto& constant : problem.constants) scope_.numbers[constant.name] = constant.value;
    instance_.workload = workload.name;
    instance_.stage = workload.stage;
  }

  std::optional<Instance> run() {
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

  // Whether its value is known only when structure is.
  bool left_open(const Text& formula) const {
    return !structure_seed_ && !scope_.structure.empty() && !structure_in(formula.text, scope_).empty();
  }

  // Nothing after noting a mistake, or where the value is left open. A problem without a mistake of its own
  // only fails here by its numbers.
  std::optional<double> value(const Text& formula, const std::string& key) {
    if (left_open(formula)) return std::nullopt;
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
    // Several shapes may have the same extent; the first speaks for all.
    failed_ = true;
    if (refused_.insert(formula.text).second)
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

  void structure() {
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

  void compute(const Structure& structure, StructureInstance& made) {
    try {
      compute_structure(problem_, scope_, *structure_seed_, instance_.structure, made);
    } catch (const ComputeError& error) {
      note(error.at(), fmt::format("structure.{}.compute", structure.name), error.what());
    }
  }

  // The extent of the first axis in use, of `extent`.
  std::int64_t used(const Text& formula, const std::string& key, std::int64_t extent) {
    const auto found = within(formula, key + ".used", 0, static_cast<double>(extent), true,
                              fmt::format("a whole number from 0 to its extent, {}", extent));
    return found ? static_cast<std::int64_t>(*found) : extent;
  }

  std::int64_t extent(const Text& formula, const std::string& key) {
    return whole(formula, key, 0, "an extent that is whole, not negative and below 2^53").value_or(0);
  }

  // Leaves of a tensor the part in use, along its first axis.
  void use_part(const Text& formula, const std::string& key, TensorInstance& tensor) {
    if (tensor.extents.empty()) return;
    tensor.extents[0] = used(formula, key, tensor.whole_extent);
    if (tensor.whole_extent > 0) tensor.elements = tensor.elements / tensor.whole_extent * tensor.extents[0];
    tensor.storage = static_cast<std::int64_t>(room(tensor));
    if (const std::string fault = fault_of_layout(tensor); !fault.empty())
      note(formula.at, key + ".used", fault);
  }

  // Every workload that breaks a condition is named.
  void hold(std::size_t k) {
    const Text& condition = problem_.conditions[k];
    const std::string key = fmt::format("conditions[{}]", k);
    const auto holds = value(condition, key);
    if (!holds || (*holds != 0 && !std::isnan(*holds))) return;
    failed_ = true;
    mistakes_.add(condition.at, key,
                  fmt::format("{}found that \"{}\" does not hold, expected it to; change the workload",
                              where(), yaml::excerpt(condition.text)));
  }

  void add(const Tensor& tensor) {
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
      else if (const std::string fault = fault_of_growth(problem_, tensor, scope_); !fault.empty())
        note(growth.at, key + ".tolerance.growth", fault);
      const auto accumulator = choice_.types.find(tensor.tolerance.accumulate_type);
      made.accumulate_eps = accumulator != choice_.types.end() ? info(accumulator->second).eps
                                                               : tensor.tolerance.accumulate_eps;
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
    tensor.fill_row = fill.over_tensor || tensor.extents.empty() ? tensor.elements : tensor.extents.back();
    tensor.fill_number = number_of_value_fill(problem_, tensor.name, fill);
    if (const std::string fault = fault_of_fill(tensor); !fault.empty()) note(fill.at, key, fault);
    if (fill.kind != Fill::Kind::derived) return;
    tensor.fill_reference = reference_named(problem_, fill.reference);
    if (workload_.stage != Stage::test && needs_host(problem_, problem_.references.at(tensor.fill_reference)))
      note(
          fill.at, key,
          "found a fill that needs the form host, which only test workloads evaluate, expected another form");
  }

  void ranges(const Reference& reference) {
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

  bool follows_structure(const Check& check) const {
    std::vector<std::string> names{check.tensor, check.of};
    names.insert(names.end(), check.with.begin(), check.with.end());
    names.insert(names.end(), check.of_with.begin(), check.of_with.end());
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const Tensor* tensor = problem_.tensor(name);
      return tensor && tensor->used && left_open(*tensor->used);
    });
  }

  void hold(const Check& check) {
    const std::string key = "checks." + check.name;
    finite(check.limit, key + ".limit", 0, "a finite number that is not negative");
    if (follows_structure(check)) return;  // of shapes that are not known yet
    if (const std::string fault = fault_of_check(check, instance_.tensors); !fault.empty())
      note(check.at, key, fault);
  }

  void costs() {
    double allocated = 0, traffic = 0;
    for (const TensorInstance& tensor : instance_.tensors) {
      if (!tensor.visible) continue;
      allocated += static_cast<double>(tensor.whole_bytes);
      traffic +=
          static_cast<double>(tensor.content) * (tensor.role == Role::inout ? 2 : 1);  // read and written
    }
    for (const StructureInstance& structure : instance_.structure) {
      if (!structure.visible) continue;
      allocated += static_cast<double>(structure.bytes);
      traffic += static_cast<double>(structure.used_elements() * info(structure.dtype).bytes);
    }
    const std::string number = "a finite number that is not negative";
    instance_.bytes = problem_.bytes ? finite(*problem_.bytes, "cost.bytes", 0, number).value_or(0) : traffic;
    instance_.flops = problem_.flops ? finite(*problem_.flops, "cost.flops", 0, number).value_or(0) : 0;
    if (problem_.memory_limit > 0 && allocated > static_cast<double>(problem_.memory_limit))
      note(workload_.at, "requires.memory",
           fmt::format("found tensors of {} bytes, expected at most the {} bytes stated", allocated,
                       problem_.memory_limit));
  }

  const Problem& problem_;
  const Choice& choice_;
  const Workload& workload_;
  Mistakes& mistakes_;
  std::optional<std::uint64_t> structure_seed_;  // nothing: structure is not computed
  Scope scope_;
  Instance instance_;
  bool failed_ = false;
  std::set<std::string> refused_;  // formulas whose value was
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

}  // namespace podium::problem
