// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/request.hpp"

#include <fmt/format.h>

#include <random>

#include "suite/base/backend.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::cli {
namespace {

constexpr int default_rounds = 7;  // the fewest from which ranks are told apart

// What one entry may cost: on a GPU a sample is cheap and many are wanted; on a CPU the judge's own work
// dominates.
constexpr measure::Stopping quick_stopping{.least = 5, .most = 20, .relative = 0.02, .budget = 0.1};
constexpr measure::Stopping full_stopping{.least = 5, .most = 50, .relative = 0.01, .budget = 0.1};

// Without a GPU and without a word about what to run, one choice of types each says who is fast at what.
bool runs_one_choice(const RunRequest& request, const std::string& backend) {
  return backend_named(backend).quick_by_default && request.problems.empty() && !request.full &&
         request.benchmark.filter.empty() && !request.benchmark.list_tests;
}

}  // namespace

void declare_selection(CLI::App& app, RunRequest& request) {
  app.add_option(
      "problem", request.problems,
      "Problems to run; default: all, on the CPU with one choice of types each unless --full is given");
  app.add_option("--device", request.device, "host, cuda:0, hip:1, ...; default: the best device present");
  app.add_option("--contestant", request.contestants,
                 "Contestants by name or file; the baseline is always added")
      ->take_all();
  app.add_flag("--quick", request.quick, "Run the quick workloads (default on the CPU)");
  app.add_flag("--full", request.full,
               "Run the bench workloads, those of published tables (default on a GPU)");
  app.add_flag("--isolated", request.isolated,
               "Run one worker at a time, a new process each round; use it for files that you do not trust");
  app.add_flag("--require-sandbox", request.require_sandbox,
               "Refuse to run without the full sandbox; `podium doctor` lists what is missing");
  auto* quiet = app.add_flag("--quiet", request.quiet, "Show no progress");
  app.add_flag("-v,--verbose", request.verbose,
               "Show all notes, times by workload, and the breakdown of the wall time")
      ->excludes(quiet);
  app.add_option("--timeout", request.timeout, "Seconds that a contestant may take for one answer (30)")
      ->check(CLI::Range(1, 86400));
  app.add_option("--setup-timeout", request.setup_timeout, setup_timeout_help)->check(CLI::Range(1, 86400));
  app.add_option("--memory", request.memory,
                 "MiB of host memory that a contestant may use (3/4 of the machine's)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--device-memory", request.device_memory,
                 "MiB of device memory that a contestant may hold between calls (3/4 of the device's)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--problems", request.folder, "Folder that holds the problem folders");
}

problem::Stage stage_for(const RunRequest& request, const std::string& backend) {
  if (request.quick && request.full) throw Error("--quick and --full exclude each other; give one");
  if (request.full) return problem::Stage::bench;
  return request.quick || backend_named(backend).quick_by_default ? problem::Stage::quick
                                                                  : problem::Stage::bench;
}

contest::Selection selection_of(const RunRequest& request, problem::Stage stage, const std::string& backend) {
  return {.problems = request.folder.empty() ? problems_folder() : request.folder,
          .names = request.problems,
          .contestants = request.contestants,
          .stage = stage,
          .one_choice = runs_one_choice(request, backend),
          .matches = [filter = request.benchmark.filter](const std::string& name) {
            return matches(filter, name);
          }};
}

contest::RunOptions options_of(const RunRequest& request, problem::Stage stage, const DeviceName& device) {
  contest::RunOptions options;
  options.rounds = request.rounds > 0                  ? request.rounds
                   : request.benchmark.repetitions > 0 ? request.benchmark.repetitions
                                                       : default_rounds;
  options.stopping = stage == problem::Stage::bench ? full_stopping : quick_stopping;
  if (request.benchmark.dry_run) {
    options.rounds = 1;
    options.stopping.least = options.stopping.most = 1;
  }
  options.isolated = request.isolated;
  options.columns = !request.cold_only;
  options.energy = request.energy;
  std::random_device random;
  options.order_seed = std::uint64_t{random()} << 32 | random();
  options.device = device.ordinal;
  options.device_words = device.words();
  options.problems_words = problems_option(request.folder);
  options.limits.call = std::chrono::seconds(request.timeout);
  options.limits.setup = setup_limit(request.setup_timeout, options.limits.call);
  options.limits.memory = request.memory << 20;
  options.limits.device_memory = request.device_memory << 20;
  return options;
}

Exit list_benchmarks(const RunRequest& request) {
  const std::string backend =
      request.device.empty() ? built_backends().front() : choose_device(request.device).backend;
  const auto plan = contest::plan(selection_of(request, stage_for(request, backend), backend), backend);
  for (const auto& name : names(plan)) fmt::print("{}\n", name);
  return report_faults(plan.faults);
}

void refuse_missing_sandbox(const RunRequest& request) {
  if (!request.require_sandbox) return;
  if (const std::string missing = lacking(sandbox::grants()); !missing.empty())
    throw Error(fmt::format(
        "--require-sandbox: this machine does not grant {}; `podium doctor` says how to enable it", missing));
}

void require_boards(const contest::Plan& plan, const RunRequest& request) {
  if (!plan.boards.empty()) return;
  throw Error(
      request.benchmark.filter.empty()
          ? "no contestant of these problems runs on this device; `podium list` shows the contestants of "
            "each backend"
          : fmt::format("--benchmark_filter={} matches no benchmark; --benchmark_list_tests lists the names",
                        request.benchmark.filter));
}

}  // namespace podium::cli
