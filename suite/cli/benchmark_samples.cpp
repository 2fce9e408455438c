// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/benchmark_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "suite/cli/job.hpp"

namespace podium::cli {
namespace {

constexpr std::size_t least_samples = 5;    // from which the judge's clock can be held against an entry
constexpr std::size_t most_samples = 1000;  // between two looks at the device
constexpr double short_entry = 0.1;         // seconds, after which one of least_samples ends

// An entry of `wanted` samples, as far as one holds them. Where fewer than least_samples are wanted the rest
// is taken for the sake of the clock's check alone, unless calls are long.
measure::Stopping rule_for(std::size_t wanted) {
  const auto count = static_cast<int>(std::clamp(wanted, least_samples, most_samples));
  const double budget = wanted < least_samples ? short_entry : std::numeric_limits<double>::infinity();
  return {.least = count, .most = count, .relative = 0, .budget = budget};
}

}  // namespace

std::string BenchmarkName::text() const {
  return fmt::format("{}/{}/{}/{}", board->problem->name, board->problem->choices[board->choice].name,
                     board->problem->workloads[static_cast<std::size_t>(workload)].name,
                     entrant->contestant.name);
}

std::vector<BenchmarkName> benchmarks_of(const contest::Plan& plan) {
  std::vector<BenchmarkName> all;
  for (const auto& board : plan.boards)
    for (const int workload : board.timed)
      for (const auto& entrant : board.entrants)
        if (std::ranges::find(entrant.timed, workload) != entrant.timed.end())
          all.push_back({&board, &entrant, workload});
  return all;
}

double Samples::mean_seconds() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

contest::BoardRunner::Sink Sampler::sink() {
  return [this](const record::Entry& entry) { last_ = entry; };
}

Samples Sampler::take(const BenchmarkName& name, std::size_t count) {
  Samples samples;
  if (const auto fault = faults_.find(name.board); fault != faults_.end()) samples.error = fault->second;
  if (trouble_) samples.error = trouble_->what();
  try {
    while (samples.error.empty() && samples.seconds.size() < count)
      add_entry(name, count - samples.seconds.size(), samples);
  } catch (const contest::ProblemFault& fault) {
    samples.error = faults_[name.board] = fault.what();
  } catch (const Error& error) {
    trouble_ = error;
    samples.error = error.what();
  }
  if (!samples.error.empty()) samples.seconds.clear();
  return samples;
}

void Sampler::add_entry(const BenchmarkName& name, std::size_t wanted, Samples& samples) {
  runner_->measure(*name.board, *name.entrant, name.workload, rule_for(wanted));
  if (std::ranges::find(outcomes_, last_.verdict, &record::Entry::verdict) == outcomes_.end())
    outcomes_.emplace_back().verdict = last_.verdict;
  if (last_.verdict != Verdict::right) {
    samples.error = fmt::format("{}: {}", last_.verdict.word(), last_.text);
    return;
  }
  for (const double microseconds :
       std::span(last_.microseconds).first(std::min(wanted, last_.microseconds.size())))
    samples.seconds.push_back(1e-6 * microseconds);
  samples.bytes = last_.bytes;
  samples.written = last_.written;
  samples.flops = last_.flops;
  samples.worst = std::max(samples.worst, last_.worst);
  samples.blocking = samples.blocking || last_.blocking;
  samples.judged = samples.judged || last_.judged;
}

Exit Sampler::end(std::vector<std::string> faults) const {
  for (const auto& [board, fault] : faults_) faults.push_back(fault);
  const Exit exit = report_faults(faults);
  if (trouble_) throw *trouble_;
  return exit == Exit::success ? exit_of(outcomes_) : exit;
}

}  // namespace podium::cli
