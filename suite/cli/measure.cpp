// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/measure.hpp"
#include "suite/problem/formula/reference_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "suite/judge/evaluator.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {
namespace {

using Evaluation = protocol::Rehearsed::Evaluation;

std::span<const Evaluation> evaluations(const protocol::Rehearsed& rehearsed) {
  return {rehearsed.evaluations, static_cast<std::size_t>(rehearsed.count)};
}

std::string advice(const Evaluation& costly, const problem::Reference& reference) {
  if (reference.form->reduces && costly.elements < costly.all)
    return "draw fewer of its indices in `sample`, or move its repeated computations to a reference of their "
           "own";
  if (costly.elements == costly.all && costly.all > 1 && !reference.output)
    return "it is evaluated everywhere: call it with indices of the output and list these in `sample`";
  if (costly.elements == costly.all && costly.all > 1)
    return "it is evaluated everywhere: list its indices in `sample`";
  return "draw fewer of its indices in `sample`, or make the workload smaller";
}

}  // namespace

problem::Instance some_round(const problem::Problem& problem, const problem::Choice& choice,
                             const problem::Workload& workload) {
  constexpr std::uint64_t seed = 1;  // any
  return problem.structure.empty() ? instantiate(problem, choice, workload)
                                   : instantiate(problem, choice, workload, seed);
}

std::int64_t memory_of(const problem::Problem& problem, const problem::Instance& instance, bool full) {
  return judge::arena_bytes(instance) + judge::Evaluator::memory(problem, instance, full);
}

bool fits(std::int64_t bytes, std::int64_t memory) {
  constexpr double share = 0.95;  // of the device, that a workload may fill
  return static_cast<double>(bytes) <= share * static_cast<double>(memory);
}

double estimate_full(const protocol::Rehearsed& sample) {
  double all = sample.fill_microseconds + sample.verify_microseconds;
  for (const Evaluation& one : evaluations(sample))
    if (one.elements > 0)
      all += one.microseconds * (static_cast<double>(one.all) / static_cast<double>(one.elements) - 1);
  return all;
}

std::string too_expensive(const problem::Problem& problem, const Measured& measured,
                          const std::string& device) {
  const protocol::Rehearsed& sample = measured.sample;
  const double cost = sample.fill_microseconds + sample.verify_microseconds;
  if (cost <= most_sample_microseconds) return "";
  const std::string found =
      fmt::format("a sample of the {} workload {} (board {}) costs {} on {}, expected at most {}",
                  measured.stage, measured.workload, measured.board, report::time_text(cost), device,
                  report::time_text(most_sample_microseconds));
  const auto list = evaluations(sample);
  const auto costly = std::max_element(
      list.begin(), list.end(),
      [](const Evaluation& a, const Evaluation& b) { return a.microseconds < b.microseconds; });
  double references = 0;
  for (const Evaluation& one : list) references += one.microseconds;
  const double rest = sample.verify_microseconds - references;
  if (costly == list.end() || costly->microseconds < std::max(sample.fill_microseconds, rest)) {
    const bool fills = sample.fill_microseconds > rest;
    return fmt::format("{}:{}: {}; {} take {} of it, which only smaller tensors make less",
                       problem.file.string(), measured.line, found,
                       fills ? "fills of the inputs" : "scans and comparisons of the outputs",
                       report::time_text(fills ? sample.fill_microseconds : rest));
  }
  const problem::Reference& reference = problem.references.at(static_cast<std::size_t>(costly->reference));
  return fmt::format("{}:{}: reference.{}: {}; {} takes {} of it: {} elements of {} terms each; {}",
                     reference.at.file, reference.at.line, reference.name, found, reference.name,
                     report::time_text(costly->microseconds), costly->elements, costly->terms,
                     advice(*costly, reference));
}

}  // namespace podium::cli
