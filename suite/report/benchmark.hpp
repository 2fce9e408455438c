// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Medians as Google Benchmark has them: a row for a contestant on a workload, and one repetition a round, so
// that compare.py's U test sees one number for each round.
#pragma once
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace podium::report {

struct BenchmarkRow {
  std::string name;                                 // problem/types/workload/contestant
  std::vector<double> medians_us;                   // one a round, in order
  double bytes = 0, flops = 0;                      // of one call; 0: not stated
  std::string error;                                // shown in place of times; empty: none
  record::ByMetric<std::vector<double>> metrics{};  // of the rounds that have it; their median is a counter
};

std::vector<BenchmarkRow> benchmark_rows(const std::vector<record::Entry>& entries);

}  // namespace podium::report
