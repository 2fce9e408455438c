// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The options that `podium run` and `podium bench` share, and their effect.
#pragma once
#include <CLI/CLI.hpp>

#include "suite/base/exit.hpp"
#include "suite/cli/benchmark_flags.hpp"
#include "suite/cli/devices.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

struct RunRequest {
  std::vector<std::string> problems, contestants;
  std::string device;                     // "host", "cuda:0", "hip:1", "cuda"; empty: the best there is
  std::filesystem::path folder, results;  // of problems, of results; empty: the default
  std::filesystem::path resume;           // folder of a run that is to go on; empty: a new one
  bool quick = false, full = false, isolated = false, quiet = false;
  bool verbose = false;            // all notes, times by workload, progress by round
  bool require_sandbox = false;    // refuses to run without the full sandbox
  bool cold_only = false;          // skips hot, graph, end-to-end and steady times
  bool energy = false;             // measures the energy of a call, in the first round
  int rounds = 0;                  // 0: 7, or --benchmark_repetitions
  int timeout = 30;                // seconds that a contestant may take for one answer
  int setup_timeout = 0;           // seconds for creating an instance; 0: setup_limit()
  std::int64_t memory = 0;         // MiB of host memory for a contestant; 0: three quarters of the machine's
  std::int64_t device_memory = 0;  // MiB of device memory; 0: three quarters of the device's
  std::string format = "table";    // table, md, json, csv
  std::string command_line;        // for the record
  BenchmarkFlags benchmark;
};

// Declares the options that both commands have.
void declare_selection(CLI::App& app, RunRequest& request);

problem::Stage stage_for(const RunRequest& request, const std::string& backend);
contest::Selection selection_of(const RunRequest& request, problem::Stage stage, const std::string& backend);
contest::RunOptions options_of(const RunRequest& request, problem::Stage stage, const DeviceName& device);

// Prints the names that --benchmark_filter matches, without measuring.
Exit list_benchmarks(const RunRequest& request);

// Throws podium::Error if --require-sandbox was given and the sandbox is not complete.
void refuse_missing_sandbox(const RunRequest& request);
// Throws podium::Error if the plan has no boards.
void require_boards(const contest::Plan& plan, const RunRequest& request);

}  // namespace podium::cli
