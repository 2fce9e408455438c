// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Judged samples for Google Benchmark's iterations, taken by the runner of `podium run`.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

struct BenchmarkName {
  const contest::BoardPlan* board = nullptr;
  const contest::Entrant* entrant = nullptr;
  int workload = 0;          // index into the problem's workloads
  std::string text() const;  // problem/types/workload/contestant
};
std::vector<BenchmarkName> benchmarks_of(const contest::Plan& plan);  // in the order of names(plan)

struct Samples {
  std::vector<double> seconds;  // one a sample; empty if there is an error
  double bytes = 0, flops = 0;  // of one call; 0: not stated
  double written = -1;          // of these bytes; negative: not known
  double worst = 0;             // largest error over its tolerance
  bool blocking = false;        // their time includes the launch
  bool judged = false;          // some are by the judge's clock
  std::string error;            // why there are none; one sentence

  double mean_seconds() const;
};

class Sampler {
 public:
  contest::Runner::Sink sink();  // for the runner's constructor
  void drive(contest::Runner& runner) { runner_ = &runner; }

  // Throws nothing but what is a mistake in Podium: where the device or the problem fails, so do the samples
  // of every benchmark from then on, for Google Benchmark must finish what it writes.
  Samples take(const BenchmarkName& name, std::size_t count);

  // Says on standard error what was wrong with problems, `faults` before them. Throws what ended the run.
  Exit end(std::vector<std::string> faults) const;

 private:
  void add_entry(const BenchmarkName& name, std::size_t wanted, Samples& samples);

  contest::Runner* runner_ = nullptr;
  record::Entry last_;  // that the runner gave
  std::map<const contest::BoardPlan*, std::string> faults_;
  std::optional<Error> trouble_;
  std::vector<record::Entry> outcomes_;  // each verdict once, and nothing else of it
};

}  // namespace podium::cli
