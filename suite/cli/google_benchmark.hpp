// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark 1.7 to 1.9 behind one interface, which hides their differences.
#pragma once
#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include "suite/cli/benchmark_flags.hpp"

namespace podium::cli {

// Gives Google Benchmark all of its flags: `flags` on top of what Podium wants, so that its environment
// variables change nothing.
void initialize(const std::vector<std::string>& flags, const std::string& out);

// 1.7 reads a number of seconds, later versions require the unit.
std::string min_time_flag(double seconds);

benchmark::TimeUnit unit_of(const BenchmarkFlags& flags);

// Runs the registered benchmarks, and writes to standard output and to the file that `flags` name. `longest`:
// length of the longest name.
void run_registered(const BenchmarkFlags& flags, std::size_t longest);

// Registers a benchmark with manual time; `body` is called once for each run. The result's type moved from
// benchmark::internal to benchmark in 1.9, and the name's from const char* to std::string in 1.8.
template <class Body>
auto* register_manual(const std::string& name, Body body, benchmark::TimeUnit unit) {
  return benchmark::RegisterBenchmark(name.c_str(), std::move(body))->UseManualTime()->Unit(unit);
}

}  // namespace podium::cli
