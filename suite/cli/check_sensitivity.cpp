// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/judge/sensitivity.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::cli {
namespace {

using Kind = judge::Sensitivity::Kind;
using Output = protocol::Sensed::Output;

// What a problem has to notice: an error of 1 %, or what a result may be off by in a format that is coarser.
constexpr double noticed = 0.01, noticed_units = 4;
constexpr double one_more_than_all = 4;   // of the middle one of the elements
constexpr double measured_within = 1.01;  // how well judge::sensitivity knows it

Kind kind_of(const Output& output) { return static_cast<Kind>(output.kind); }

std::string size_of(const SensedWorkload& sensed, const Output& output, double error) {
  const bool exact = kind_of(output) == Kind::exact || (sensed.estimated && error == 0);
  return kind_of(output) != Kind::measured && !exact ? ""
         : exact ? "any"
                 : fmt::format("{}{:.1e}", sensed.estimated ? "~" : "", error);
}

std::string of_zeros(const Output& output) { return output.zeros_pass ? "right" : "wrong"; }

// The share of elements in which an error shows: other finite numbers than 0 are expected there, and nothing
// excuses them.
std::string share_of(const Output& output) {
  return output.elements > 0 ? fmt::format("{:.3g} %", 100.0 * static_cast<double>(output.telling) /
                                                           static_cast<double>(output.elements))
                             : "";
}

double must_notice(problem::Dtype dtype) {
  return std::max(noticed, noticed_units * problem::info(dtype).eps);
}

bool too_loose(const Output& output, problem::Dtype dtype) {
  return kind_of(output) == Kind::measured &&
         (output.all >= 1 || output.all > measured_within * must_notice(dtype) ||
          output.one > measured_within * one_more_than_all * must_notice(dtype));
}

const problem::Workload& workload_of(const problem::Problem& problem, const SensedWorkload& sensed) {
  return problem.workloads[static_cast<std::size_t>(sensed.workload)];
}

// The loosest of an output's workloads decides what is said; "" if none is too loose.
std::string loose_tolerance(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads,
                            std::size_t t) {
  const problem::Tensor& tensor = problem.tensors[t];
  const SensedWorkload* worst = nullptr;
  for (const SensedWorkload& sensed : workloads)
    if (too_loose(sensed.found.outputs[t], dtype_of(tensor, problem.choices[sensed.choice])) &&
        (!worst || sensed.found.outputs[t].one > worst->found.outputs[t].one))
      worst = &sensed;
  if (!worst || !tensor.tolerance.loose.empty()) return "";
  const Output& output = worst->found.outputs[t];
  const auto& choice = problem.choices[worst->choice];
  const char* const about = worst->estimated ? "about " : "";
  const std::string passes =
      output.all >= 1 ? "zeros are"
      : output.all > measured_within * must_notice(dtype_of(tensor, choice))
          ? fmt::format("an error of {}{:.2g} % in all elements is", about, 100 * output.all)
          : fmt::format("an error of {}{:.2g} % in any of half the elements is", about, 100 * output.one);
  return fmt::format(
      "{}:{}: tensors.{}.tolerance: found that {} right in the {} workload {} of board {}, expected an "
      "error of {:.2g} % to be wrong. State a lower growth, a finer accumulate or another scale, or say why "
      "in loose",
      tensor.tolerance.at.file, tensor.tolerance.at.line, tensor.name, passes,
      name_of(workload_of(problem, *worst).stage), workload_of(problem, *worst).name, choice.name,
      100 * std::min(must_notice(dtype_of(tensor, choice)), 1.0));
}

std::string checks_without_effect(const problem::Problem& problem,
                                  const std::vector<SensedWorkload>& workloads, std::size_t t) {
  bool checked = false, passes = true;
  for (const SensedWorkload& sensed : workloads) {
    if (kind_of(sensed.found.outputs[t]) != Kind::unlike) continue;
    checked = true;
    passes = passes && sensed.found.outputs[t].zeros_pass;
  }
  if (!checked || !passes) return "";
  return fmt::format(
      "{}:{}: tensors.{}: found that zeros pass its checks in every test workload, expected them to be wrong "
      "in one. Lower a limit, or add a workload on which zeros are no answer",
      problem.tensors[t].at.file, problem.tensors[t].at.line, problem.tensors[t].name);
}

// What is left of an output that is compared, on all workloads together.
struct Compared {
  std::int64_t elements = 0, any = 0, excused = 0, excuses_drawn = 0, telling = 0;
  bool checked = false;  // zeros equal the reference, and fail elsewhere
};
Compared all_compared(const std::vector<SensedWorkload>& workloads, std::size_t t) {
  Compared all;
  for (const SensedWorkload& sensed : workloads) {
    const Output& one = sensed.found.outputs[t];
    if (sensed.estimated) continue;
    all.elements += one.elements, all.any += one.any, all.excused += one.excused;
    all.excuses_drawn += one.excuses_drawn, all.telling += one.telling;
    all.checked = all.checked || (kind_of(one) == Kind::all_zero && !one.zeros_pass);
  }
  return all;
}

std::string indistinguishable(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads,
                              std::size_t t) {
  const problem::Tensor& tensor = problem.tensors[t];
  const Compared all = all_compared(workloads, t);
  const std::int64_t checked = all.elements - all.any;
  if (all.elements == 0 || all.checked) return "";
  if (all.telling == 0)
    return fmt::format(
        "{}:{}: tensors.{}: found no element on any workload in which a wrong number shows: of {}, {} may "
        "hold anything, {} are excused. The reference of the others is 0, infinite or no number. Add a test "
        "workload on which it is another number",
        tensor.at.file, tensor.at.line, tensor.name, all.elements, all.any, all.excused);
  if (!judge::too_many_excused(all.excused, checked, all.excuses_drawn)) return "";
  return fmt::format(
      "{}:{}: tensors.{}: found {} of {} elements excused on all workloads together, expected at most 5 %; "
      "excuse near-ties only",
      tensor.at.file, tensor.at.line, tensor.name, all.excused, checked);
}

bool alike(const problem::Fill& a, const problem::Fill& b) {
  return a.kind == b.kind && a.first.text == b.first.text && a.second.text == b.second.text &&
         a.term.text == b.term.text && a.reference == b.reference;
}
bool same_fills(const problem::Workload& a, const problem::Workload& b) {
  return std::ranges::equal(a.fills, b.fills, [](const auto& x, const auto& y) {
    return x.first == y.first && alike(x.second, y.second);
  });
}

double elements_of(const problem::Instance& instance) {
  double all = 0;
  for (const auto& tensor : instance.tensors) all += static_cast<double>(tensor.elements);
  return all;
}

// A formula over a workload's numbers, in the middle of each index that it may use.
double in_the_middle(const problem::Problem& problem, const problem::Instance& instance, std::size_t t,
                     const std::string& formula) {
  problem::Scope scope = problem::scope_of(problem, instance);
  scope.trial = true;
  for (const problem::Reference& reference : problem.references)
    if (reference.name == problem.tensors[t].name)
      for (std::size_t k = 0; k < reference.index.size(); ++k) {
        const std::int64_t middle = instance.tensors[t].extents[k] / 2;
        scope.numbers[reference.index[k].name] = static_cast<double>(middle);
      }
  return problem::evaluate(formula, scope);
}

// A measured workload that another one is like.
struct Basis {
  const Output* output = nullptr;  // nullptr: there is none
  problem::Instance instance;
};

Basis basis_of(const problem::Problem& problem, const std::vector<SensedWorkload>& measured,
               const SensedWorkload& large, std::size_t t) {
  Basis best;
  for (const SensedWorkload& one : measured) {
    if (one.estimated || one.choice != large.choice || kind_of(one.found.outputs[t]) != Kind::measured ||
        !same_fills(workload_of(problem, one), workload_of(problem, large)))
      continue;
    auto instance = instantiate(problem, problem.choices[one.choice], workload_of(problem, one));
    if (!best.output || elements_of(instance) > elements_of(best.instance))
      best = {&one.found.outputs[t], std::move(instance)};
  }
  return best;
}

// An output of a workload that nobody measures.
Output estimated(const problem::Problem& problem, const problem::Choice& choice, std::size_t t,
                 const problem::Instance& large, const Basis& basis) {
  const problem::Tolerance& tolerance = problem.tensors[t].tolerance;
  const std::string& growth = tolerance.growth.text;
  // What a growth asks structure for takes computing it.
  if (basis.output && !problem::structure_in(growth, problem::scope_of(problem, large)).empty()) {
    Output output = *basis.output;
    output.elements = 0;
    return output;
  }
  const auto grown = [&](double scale, double eps) {
    const double there =
        tolerance.growth_by_index && basis.output ? in_the_middle(problem, basis.instance, t, growth) : 1;
    return in_the_middle(problem, large, t, growth) * (basis.output && there > 0 ? scale / there : eps);
  };
  const double eps = accumulate_eps(tolerance, choice);
  // Steps are between half of eps and all of it.
  const double ulp = in_the_middle(problem, large, t, tolerance.ulp.text) *
                     problem::info(dtype_of(problem.tensors[t], choice)).eps;
  Output output{};
  output.kind = static_cast<std::int32_t>(Kind::measured);
  output.all = ulp / 2 + grown(basis.output ? basis.output->scale_of_all : 0, eps);
  output.one = 3 * ulp / 4 + grown(basis.output ? basis.output->scale_of_one : 0, eps);
  output.zeros_pass = output.all >= 1;
  return output;
}

}  // namespace

void estimate(const problem::Problem& problem, std::size_t choice, const std::vector<int>& large,
              std::vector<SensedWorkload>& workloads) {
  const auto& types = problem.choices[choice];
  for (const int w : large) {
    SensedWorkload made{choice, w, {}, true};
    const problem::Instance instance = instantiate(problem, types, workload_of(problem, made));
    for (const problem::Reference& reference : problem.references) {
      if (!reference.output || needs_host(problem, reference)) continue;
      const problem::Tensor& tensor = *problem.tensor(reference.name);
      const auto t = static_cast<std::size_t>(&tensor - problem.tensors.data());
      if (!problem::info(dtype_of(tensor, types)).floating || instance.tensors[t].elements == 0) continue;
      const Basis basis = basis_of(problem, workloads, made, t);
      if (basis.output || tensor.tolerance.scale != problem::Tolerance::Scale::reference)
        made.found.outputs[t] = estimated(problem, types, t, instance, basis);
    }
    workloads.push_back(made);
  }
}

void print_sensitivity(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads) {
  Columns lines{{"board", "workload", "output", "error in all", "in one", "zeros", "shows in"}};
  for (const SensedWorkload& sensed : workloads)
    for (std::size_t t = 0; t < problem.tensors.size(); ++t)
      if (const Output& output = sensed.found.outputs[t]; kind_of(output) != Kind::nothing)
        lines.push_back({problem.choices[sensed.choice].name, workload_of(problem, sensed).name,
                         problem.tensors[t].name, size_of(sensed, output, output.all),
                         size_of(sensed, output, output.one), of_zeros(output), share_of(output)});
  fmt::print("the smallest relative errors that are wrong:\n");
  print_columns(lines);
}

void refuse_insensitive(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads) {
  std::string faults;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    for (const std::string& fault :
         {loose_tolerance(problem, workloads, t), checks_without_effect(problem, workloads, t),
          indistinguishable(problem, workloads, t)})
      if (!fault.empty()) faults += (faults.empty() ? "" : "\n") + fault;
  if (!faults.empty()) throw Error(faults);
}

}  // namespace podium::cli
