// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run`: choose, build, measure, record, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

#include "suite/build/builder.hpp"
#include "suite/cli/commands.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/progress.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"
#include "suite/record/record.hpp"
#include "suite/report/render.hpp"

namespace podium::cli {
namespace {

constexpr int default_rounds = 7;  // the fewest from which ranks are told apart

// What one entry may cost: on a GPU a sample is cheap and many are wanted; on a CPU the judge's own work
// dominates.
constexpr measure::Stopping quick_stopping{.least = 5, .most = 20, .relative = 0.02, .budget = 0.1};
constexpr measure::Stopping full_stopping{.least = 10, .most = 50, .relative = 0.01, .budget = 0.2};

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
      found->medians_us.push_back(entry.median);
    else
      found->error = fmt::format("{}: {}", entry.verdict, entry.text);
  }
  return all;
}

void announce(const contest::Plan& plan, const protocol::Opened& device, problem::Stage stage, int rounds) {
  std::size_t contestants = 0;
  for (const auto& board : plan.boards) contestants += board.entrants.size();
  fmt::print(
      stderr, "podium: {} on {} ({}): {} boards, {} contestants, {} workloads, {} rounds\n",
      plan.problems.size() == 1 ? plan.problems[0].name : fmt::format("{} problems", plan.problems.size()),
      protocol::get(device.product), protocol::get(device.backend), plan.boards.size(), contestants,
      name_of(stage), rounds);
}

}  // namespace

Exit run(const RunRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  const bool only_names = request.benchmark.list_tests;
  const DeviceName device = only_names && request.device.empty() ? DeviceName{built_backends().front(), 0}
                                                                 : choose_device(request.device);
  const problem::Stage stage = stage_for(request, device.backend);
  contest::Plan plan = contest::plan(
      {.problems = request.folder.empty() ? problems_folder() : request.folder,
       .names = request.problems,
       .contestants = request.contestants,
       .stage = stage,
       .matches = [&](const std::string& name) { return matches(request.benchmark.filter, name); }},
      device.backend);
  if (only_names) {
    for (const auto& name : names(plan)) fmt::print("{}\n", name);
    return Exit::well;
  }
  if (plan.boards.empty())
    throw Error(fmt::format(
        "--benchmark_filter={} leaves nothing to run; `podium run --benchmark_list_tests` shows the names",
        request.benchmark.filter));

  ProgressLine line(request.quiet);
  contest::RunOptions options;
  options.rounds = request.rounds > 0                  ? request.rounds
                   : request.benchmark.repetitions > 0 ? request.benchmark.repetitions
                                                       : default_rounds;
  options.stopping = stage == problem::Stage::bench ? full_stopping : quick_stopping;
  options.isolated = request.isolated;
  options.order_seed = std::random_device{}();
  options.device = device.ordinal;
  options.limits.call = std::chrono::seconds(request.timeout);

  std::vector<record::Entry> entries;
  std::unique_ptr<record::Writer> writer;
  contest::Runner runner(
      contest::executables(device.backend), options,
      [&](const record::Entry& entry) {
        writer->append(entry);
        entries.push_back(entry);
      },
      [&](const contest::Progress& progress) { line.show(progress); });
  const protocol::Opened opened = runner.device();

  const auto toolchain = build::read_toolchain(toolchain_file());
  build::Builder builder(toolchain, build::default_cache());
  const std::string arch = device.backend == "host" ? "" : protocol::get(opened.architecture);
  contest::build(plan, builder, device.backend, arch, [&](int done, int total, const std::string& what) {
    line.show(fmt::format("[build {}/{}] {}", done, total, what));
  });
  line.clear();
  announce(plan, opened, stage, options.rounds);

  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto provenance =
      describe(plan, options, opened, toolchain,
               {.command = request.command_line, .started = now, .copy_rate = runner.copy_rate()});
  const auto results = request.results.empty() ? results_folder() : request.results;
  const auto folder = record::run_folder(results, provenance.device, now, options.order_seed);
  writer = std::make_unique<record::Writer>(folder, record::to_json(provenance));
  runner.run(plan.boards);
  line.clear();

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  provenance.wall_seconds = seconds;
  provenance.secrets = runner.secrets();
  writer->finish(record::to_json(provenance));
  const auto finished = record::read(folder);
  report::write(finished, folder);
  fmt::print("{}", report::render(finished, request.format));
  if (request.benchmark.wanted()) present(request.benchmark, listed(entries));
  fmt::print(stderr, "podium: {:.0f} s; recorded in {}\n", seconds, folder.string());
  const bool failed = std::any_of(entries.begin(), entries.end(), [](const record::Entry& e) {
    return e.verdict != "right" && !record::declined(e.verdict);
  });
  return failed ? Exit::contestant : Exit::well;
}

}  // namespace podium::cli
