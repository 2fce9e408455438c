// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Presents medians that Podium has measured with Google Benchmark's console output and JSON. One repetition
// is the median of one round, so compare.py's U test sees one number for each round.
#pragma once
#include <vector>

#include "suite/cli/benchmark_flags.hpp"
#include "suite/report/benchmark.hpp"

namespace podium::cli {

// Prints to standard output, and to flags.out if given. Returns the number of rows with an error, which
// Google Benchmark itself does not report. Throws like open_output().
int present(const BenchmarkFlags& flags, const std::vector<report::BenchmarkRow>& all);

}  // namespace podium::cli
