// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Presents medians that Podium has measured with Google Benchmark's console output and JSON. One repetition
// is the median of one round, so compare.py's U test sees one number for each round.
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

// Prints to standard output, and to flags.out if given. Returns the number of rows with an error, which
// Google Benchmark itself does not report. Throws like open_output().
int present(const BenchmarkFlags& flags, const std::vector<BenchmarkRow>& all);

}  // namespace podium::cli
