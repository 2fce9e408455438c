// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as presenter: its output, its JSON, over medians that Podium has measured. One
// of its repetitions is the median of one of our rounds, so compare.py's U test sees one number a round.
#pragma once
#include <string>
#include <vector>

#include "suite/cli/benchmark_flags.hpp"
#include "suite/record/metric.hpp"

namespace podium::cli {

struct BenchmarkRow {
  std::string name;                                 // problem/types/workload/contestant
  std::vector<double> medians_us;                   // one a round, in order
  double bytes = 0, flops = 0;                      // of one call; 0: not stated
  std::string error;                                // shown in place of times; empty: none
  record::ByMetric<std::vector<double>> metrics{};  // of the rounds that have it; their median is a counter
};

// Prints to standard output, and to flags.out if given. Returns how many have an error: Google Benchmark
// itself would not tell. Throws as open_output().
int present(const BenchmarkFlags& flags, const std::vector<BenchmarkRow>& all);

}  // namespace podium::cli
