// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Takes judged samples for Google Benchmark's iterations, with the runner of `podium run`.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/base/exit.hpp"
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
  bool judged = false;          // some times are those of the judge's clock
  std::string error;            // the reason for no samples; one sentence

  double mean_seconds() const;
};

class Sampler {
 public:
  contest::BoardRunner::Sink sink();  // for the runner's constructor
  void drive(contest::BoardRunner& runner) { runner_ = &runner; }

  // If the device or the problem fails, so do the samples of every later benchmark: Google Benchmark must
  // finish its output. Throws only for a mistake in Podium.
  Samples take(const BenchmarkName& name, std::size_t count);

  // Prints `faults`, then the faults of problems, to standard error. Throws the error that ended the run.
  Exit end(std::vector<std::string> faults) const;

 private:
  void add_entry(const BenchmarkName& name, std::size_t wanted, Samples& samples);

  contest::BoardRunner* runner_ = nullptr;
  record::Entry last_;  // that the runner gave
  std::map<const contest::BoardPlan*, std::string> faults_;
  std::optional<Error> trouble_;
  std::vector<record::Entry> outcomes_;  // each verdict once, and nothing else of it
};

}  // namespace podium::cli
