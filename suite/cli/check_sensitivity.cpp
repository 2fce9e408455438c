// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/check_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/cli/columns.hpp"
#include "suite/judge/sensitivity.hpp"

namespace podium::cli {
namespace {

using Kind = judge::Sensitivity::Kind;
using Output = protocol::Sensed::Output;

// What a problem has to notice: an error of 1 %, or what a result may be off by in a format that is coarser.
constexpr double noticed = 0.01, noticed_units = 4;
constexpr double one_more_than_all = 4;   // of the middle one of the elements
constexpr double measured_within = 1.01;  // how well judge::sensitivity knows it

Kind kind_of(const Output& output) { return static_cast<Kind>(output.kind); }

std::string size_of(const Output& output, double error) {
  return kind_of(output) == Kind::measured ? fmt::format("{:.1e}", error)
         : kind_of(output) == Kind::exact  ? "any"
                                           : "";
}

std::string of_zeros(const Output& output) {
  if (kind_of(output) == Kind::all_zero) return output.zeros_pass ? "right: the reference is 0" : "wrong";
  return output.zeros_pass ? "right" : "wrong";
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
  const std::string passes =
      output.all >= 1 ? "zeros are"
      : output.all > measured_within * must_notice(dtype_of(tensor, choice))
          ? fmt::format("an error of {:.2g} % in all elements is", 100 * output.all)
          : fmt::format("an error of {:.2g} % in any of half the elements is", 100 * output.one);
  return fmt::format(
      "{}:{}: tensors.{}.tolerance: found that {} right in the test workload {} of board {}, expected an "
      "error of "
      "{:.2g} % to be wrong; state a lower growth, a finer accumulate or another scale, or say why in loose",
      tensor.tolerance.at.file, tensor.tolerance.at.line, tensor.name, passes,
      workload_of(problem, *worst).name, choice.name,
      100 * std::min(must_notice(dtype_of(tensor, choice)), 1.0));
}

std::string idle_checks(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads,
                        std::size_t t) {
  bool checked = false, passes = true;
  for (const SensedWorkload& sensed : workloads) {
    if (kind_of(sensed.found.outputs[t]) != Kind::unlike) continue;
    checked = true;
    passes = passes && sensed.found.outputs[t].zeros_pass;
  }
  if (!checked || !passes) return "";
  return fmt::format(
      "{}:{}: tensors.{}: found that zeros pass its checks in every test workload, expected them to be wrong "
      "in one; "
      "lower a limit, or add a workload on which zeros are no answer",
      problem.tensors[t].at.file, problem.tensors[t].at.line, problem.tensors[t].name);
}

}  // namespace

void print_sensitivity(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads) {
  Columns lines{{"board", "test workload", "output", "error in all", "in one", "zeros"}};
  for (const SensedWorkload& sensed : workloads)
    for (std::size_t t = 0; t < problem.tensors.size(); ++t)
      if (const Output& output = sensed.found.outputs[t]; kind_of(output) != Kind::nothing)
        lines.push_back({problem.choices[sensed.choice].name, workload_of(problem, sensed).name,
                         problem.tensors[t].name, size_of(output, output.all), size_of(output, output.one),
                         of_zeros(output)});
  fmt::print("the smallest relative errors that are wrong:\n");
  print_columns(lines);
}

void refuse_insensitive(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads) {
  std::string faults;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    for (const std::string& fault :
         {loose_tolerance(problem, workloads, t), idle_checks(problem, workloads, t)})
      if (!fault.empty()) faults += (faults.empty() ? "" : "\n") + fault;
  if (!faults.empty()) throw Error(faults);
}

}  // namespace podium::cli
