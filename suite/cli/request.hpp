// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium run` and `podium bench` read from a request alike.
#pragma once
#include <CLI/CLI.hpp>

#include "suite/cli/benchmark_flags.hpp"
#include "suite/cli/devices.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

struct RunRequest {
  std::vector<std::string> problems, contestants;
  std::string device;                     // "host", "cuda:0", "hip:1", "cuda"; empty: the best there is
  std::filesystem::path folder, results;  // of problems, of results; empty: the default
  bool quick = false, full = false, isolated = false, quiet = false;
  bool verbose = false;          // every note and the times by workload, progress by rounds
  bool require_sandbox = false;  // none is run if a leaderboard cannot rest on what this machine grants
  bool cold_only = false;        // no hot, graph and end-to-end times
  bool energy = false;           // of a call, in the first round
  int rounds = 0;                // 0: 7, or --benchmark_repetitions
  int timeout = 30;              // seconds a contestant may take for one answer
  int setup_timeout = 0;         // the same of a new instance; 0: setup_limit()
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::int64_t device_memory = 0;  // the same of the device's
  std::string format = "table";    // table, md, json, csv
  std::string command_line;        // for the record
  BenchmarkFlags benchmark;
};

// Declares the options that both commands have.
void declare_selection(CLI::App& app, RunRequest& request);

problem::Stage stage_for(const RunRequest& request, const std::string& backend);
contest::Selection selection_of(const RunRequest& request, problem::Stage stage, const std::string& backend);
contest::RunOptions options_of(const RunRequest& request, problem::Stage stage, const DeviceName& device);

// Prints the names that --benchmark_filter matches; measures nothing.
Exit list_benchmarks(const RunRequest& request);

// Throws podium::Error if --require-sandbox was given and the machine does not grant it.
void refuse_missing_sandbox(const RunRequest& request);
// Throws podium::Error if the plan is empty.
void require_boards(const contest::Plan& plan, const RunRequest& request);

}  // namespace podium::cli
