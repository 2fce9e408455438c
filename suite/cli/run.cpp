// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run`: choose, build, measure, record, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "suite/base/counted.hpp"
#include "suite/base/interrupt.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/device_files.hpp"
#include "suite/contest/sandbox.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/record.hpp"
#include "suite/report/calibration.hpp"
#include "suite/report/render.hpp"
#include "suite/report/spent.hpp"

namespace podium::cli {
namespace {

constexpr int default_rounds = 7;  // the fewest from which ranks are told apart

// What one entry may cost: on a GPU a sample is cheap and many are wanted; on a CPU the judge's own work
// dominates.
constexpr measure::Stopping quick_stopping{.least = 5, .most = 20, .relative = 0.02, .budget = 0.1};
constexpr measure::Stopping full_stopping{.least = 5, .most = 50, .relative = 0.01, .budget = 0.1};

problem::Stage stage_for(const RunRequest& request, const std::string& backend) {
  if (request.quick && request.full) throw Error("--quick and --full exclude each other; give one");
  if (request.full) return problem::Stage::bench;
  return request.quick || backend == "host" ? problem::Stage::quick : problem::Stage::bench;
}

// One line of results for Google Benchmark's view: the medians of a contestant on a workload, round by round.
std::vector<Listed> listed(const std::vector<record::Entry>& entries) {
  std::vector<Listed> all;
  for (const auto& entry : entries) {
    if (entry.round < 0 || entry.workload.empty()) continue;
    const std::string name = fmt::format("{}/{}/{}/{}{}", entry.problem, entry.types, entry.workload,
                                         entry.contestant, entry.twin ? "+twin" : "");
    auto found = std::find_if(all.begin(), all.end(), [&](const Listed& l) { return l.name == name; });
    if (found == all.end())
      found = all.insert(all.end(), {.name = name, .bytes = entry.bytes, .flops = entry.flops});
    if (entry.verdict == "right")
      found->medians_us.push_back(entry.median.value);
    else
      found->error = fmt::format("{}: {}", entry.verdict, entry.text);
  }
  return all;
}

// What the empty contestant took on each board.
void add_overheads(record::Provenance& provenance, Job& job) {
  for (const auto& [board, overheads] : job.runner().overheads())
    for (std::size_t b = 0; b < job.plan().boards.size(); ++b)
      if (&job.plan().boards[b] == board) {
        provenance.boards[b].empty_call = overheads.usual.reported;
        provenance.boards[b].judge_overhead = overheads.usual.constant;
        provenance.boards[b].tolerance = overheads.usual.tolerance;
      }
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
  options.limits.call = std::chrono::seconds(request.timeout);
  options.limits.setup = setup_limit(request.setup_timeout, options.limits.call);
  options.limits.memory = request.memory << 20;
  options.limits.device_memory = request.device_memory << 20;
  return options;
}

// What work that arithmetic bounds is held against; one of another driver, or that cannot be read, is none.
void add_calibration(record::Provenance& provenance, const std::filesystem::path& results) {
  const auto file = record::calibration_file(results, provenance.device);
  if (!std::filesystem::exists(file)) return;
  try {
    const auto stored = record::read_calibration(file);
    if (stored.provenance.driver != provenance.driver)
      throw Error(fmt::format("{}: measured under {}, this is {}; run `podium calibrate` again",
                              file.string(), stored.provenance.driver, provenance.driver));
    if (const std::string slower = report::slowdown_of(stored); !slower.empty())
      throw Error(fmt::format("{}: {}; calibrate again when the device is idle", file.string(), slower));
    provenance.calibrated = stored.provenance.started;
    std::vector<std::string> scattered;
    for (const auto& quantity : stored.quantities) {
      if (quantity.samples == 0 ||
          !(quantity.name.starts_with("fma_") || quantity.name.starts_with("matrix_")))
        continue;
      if (const std::string scatter = report::scatter_of(quantity); scatter.empty())
        provenance.arithmetic[quantity.name] = quantity.value;
      else
        scattered.push_back(scatter);
    }
    if (!scattered.empty())
      fmt::print(stderr, "podium: no % light by these rates of {}: {}\n", file.string(),
                 fmt::join(scattered, "; "));
  } catch (const Error& e) {
    fmt::print(stderr, "podium: no % light for work bound by arithmetic: {}\n", e.what());
  }
}

}  // namespace

Exit run(const RunRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  const bool only_names = request.benchmark.list_tests;
  const DeviceName device = only_names && request.device.empty()
                                ? DeviceName{.backend = built_backends().front()}
                                : choose_device(request.device);
  if (!only_names) refuse_times(device, "podium run");
  const problem::Stage stage = stage_for(request, device.backend);
  const contest::Selection selection{
      .problems = request.folder.empty() ? problems_folder() : request.folder,
      .names = request.problems,
      .contestants = request.contestants,
      .stage = stage,
      .matches = [&](const std::string& name) { return matches(request.benchmark.filter, name); }};
  if (only_names) {
    const auto plan = contest::plan(selection, device.backend);
    for (const auto& name : names(plan)) fmt::print("{}\n", name);
    return tell(plan.faults);
  }
  if (request.require_sandbox)
    if (const std::string missing = lacking(contest::grants()); !missing.empty())
      throw Error(
          fmt::format("--require-sandbox: this machine does not grant {}; `podium doctor` says how to "
                      "get it",
                      missing));
  open_output(request.benchmark);  // said now, not after the run
  const auto options = options_of(request, stage, device);
  std::vector<record::Entry> entries;
  std::unique_ptr<record::Writer> writer;
  Job job(
      device, selection, options,
      [&](const record::Entry& entry) {
        writer->append(entry);
        entries.push_back(record::published(entry));
      },
      request.quiet);
  if (job.plan().boards.empty())
    throw Error(
        request.benchmark.filter.empty()
            ? "no contestant of these problems runs on this device; `podium list` shows who runs where"
            : fmt::format("--benchmark_filter={} leaves nothing to run; `podium run --benchmark_list_tests` "
                          "shows the names",
                          request.benchmark.filter));
  const auto opened =
      job.prepare(fmt::format("{} workloads, {}", name_of(stage), counted(options.rounds, "round")),
                  request.require_sandbox);
  device::refuse_times(protocol::get(opened.product), "podium run");  // however it was reached

  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto provenance =
      describe(job.plan(), options, opened, job.toolchain(),
               {.command = request.command_line, .started = now, .copy_rate = job.runner().copy_rate()});
  const auto results = request.results.empty() ? results_folder() : request.results;
  add_calibration(provenance, results);
  const auto folder = record::run_folder(results, provenance.device, now, std::random_device{}());
  writer = std::make_unique<record::Writer>(folder, record::to_json(provenance));
  job.runner().hide(std::filesystem::canonical(folder));
  bool sound = false;
  std::optional<Error> trouble;  // what was measured is shown all the same
  try {
    const Interruptible interruptible;
    sound = job.run();
  } catch (const Error& e) {
    trouble = e;
    provenance.ended = record::without_folders_in(e.what());
  }

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  provenance.wall_seconds = seconds;
  provenance.spent = job.spent();
  provenance.secrets = job.runner().secrets();
  add_overheads(provenance, job);
  const record::Run finished{folder, record::to_json(provenance), entries};
  // First of all: whoever reads standard output may be gone, ended by what ended the run.
  std::optional<Error> unfinished;
  try {
    writer->finish(finished.provenance);
    report::write(finished, folder);
  } catch (const Error& e) {
    unfinished = e;
  }
  fmt::print("{}", report::render(finished, request.format));
  std::fflush(stdout);
  fmt::print(stderr, "podium: {}\n", report::spent_text(provenance.spent, provenance.wall_seconds));
  if (!unfinished) fmt::print(stderr, "podium: recorded in {}\n", folder.string());
  if (trouble) throw *trouble;
  if (unfinished) throw *unfinished;
  if (request.benchmark.wanted()) present(request.benchmark, listed(entries));
  if (!sound) return Exit::usage;
  const auto failed = [](const record::Entry& entry) { return record::failed(entry.verdict); };
  return std::ranges::any_of(entries, failed) ? Exit::contestant : Exit::well;
}

}  // namespace podium::cli
