// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run`: choose, build, measure, record, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "suite/base/counted.hpp"
#include "suite/base/interrupt.hpp"
#include "suite/cli/benchmark_view.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/request.hpp"
#include "suite/record/record.hpp"
#include "suite/report/render.hpp"
#include "suite/report/spent.hpp"

namespace podium::cli {
namespace {

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

}  // namespace

Exit run(const RunRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  tell_idle(request.benchmark.idle_in_run, std::cerr);
  tell_idle(request.benchmark.idle, std::cerr);
  if (request.benchmark.list_tests) return list_benchmarks(request);
  const DeviceName device = choose_device(request.device);
  refuse_times(device, "podium run");
  const problem::Stage stage = stage_for(request, device.backend);
  const contest::Selection selection = selection_of(request, stage);
  refuse_missing_sandbox(request);
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
  refuse_nothing(job.plan(), request);
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
  return exit_of(entries);
}

}  // namespace podium::cli
