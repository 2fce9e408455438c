// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium bench`: a Google Benchmark program whose benchmarks are contestants on workloads. An iteration is
// one judged sample; Google Benchmark decides how many there are, and in which order.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "suite/base/interrupt.hpp"
#include "suite/cli/benchmark_samples.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/google_benchmark.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/request.hpp"
#include "suite/report/board.hpp"

namespace podium::cli {
namespace {

// Google Benchmark's 0.5 s of calls would be minutes of judging for each benchmark.
constexpr double default_min_time = 0.01;  // seconds

std::vector<std::string> flags_for_google(const BenchmarkFlags& flags) {
  std::vector<std::string> all = flags.forwarded;
  all.push_back(min_time_flag(flags.min_time.value_or(default_min_time)));
  all.push_back(fmt::format("--benchmark_min_warmup_time={}", flags.min_warmup_time.value_or(0)));
  all.push_back(fmt::format("--benchmark_enable_random_interleaving={}", flags.random_interleaving));
  if (flags.repetitions > 0 && !flags.dry_run)
    all.push_back(fmt::format("--benchmark_repetitions={}", flags.repetitions));
  if (!flags.log_level.empty()) all.push_back(fmt::format("--v={}", flags.log_level));
  return all;
}

// Contestants that are only verified, as GPU kernels on the CPU, are no benchmarks.
void leave_out_untimed(contest::Plan& plan) {
  for (auto& board : plan.boards)
    std::erase_if(board.entrants, [](const contest::Entrant& entrant) { return entrant.timed.empty(); });
  std::erase_if(plan.boards, [](const contest::BoardPlan& board) { return board.entrants.empty(); });
}

void add_context(const record::Provenance& provenance) {
  benchmark::AddCustomContext("podium", fmt::format("{} ({})", provenance.podium, provenance.commit));
  benchmark::AddCustomContext("device",
                              fmt::format("{} ({})", provenance.device.product, provenance.device.backend));
  benchmark::AddCustomContext("driver", provenance.driver);
  benchmark::AddCustomContext(
      "method",
      "an iteration is one verified call: flushed caches, new inputs, times borne out by the judge");
}

const record::ContestantRecord& record_of(const BenchmarkName& name, const record::Provenance& provenance) {
  return *std::ranges::find_if(provenance.contestants, [&](const record::ContestantRecord& one) {
    return one.problem == name.board->problem->name && one.name == name.entrant->contestant.name;
  });
}

std::string label_of(const record::ContestantRecord& contestant, const Samples& samples) {
  return fmt::format("{}: {}{}{}", contestant.kind, contestant.title, samples.blocking ? " (blocking)" : "",
                     samples.judged ? " (by the judge's clock)" : "");
}

void add_counters(benchmark::State& state, const Samples& samples, const std::string& types,
                  const record::Provenance& provenance) {
  using benchmark::Counter;
  const auto rate = [](double amount) {
    return Counter(amount, Counter::kIsIterationInvariantRate, Counter::kIs1000);
  };
  if (samples.bytes > 0) state.counters["bytes_per_second"] = rate(samples.bytes);
  if (samples.flops > 0) state.counters["flops"] = rate(samples.flops);
  const double least = report::speed_of_light(
      types, {.bytes = samples.bytes, .written = samples.written, .flops = samples.flops}, provenance);
  if (least > 0) state.counters["sol"] = std::min(100.0, 100 * least / samples.mean_seconds());
  state.counters["error_over_tolerance"] = samples.worst;
}

// The body of a benchmark. The samples are taken before the loop, which hands their times over.
void run_benchmark(benchmark::State& state, Sampler& sampler, const BenchmarkName& name,
                   const record::Provenance& provenance) {
  const Samples samples = sampler.take(name, static_cast<std::size_t>(state.max_iterations));
  if (!samples.error.empty()) state.SkipWithError(samples.error.c_str());
  auto next = samples.seconds.begin();
  for (auto _ : state) state.SetIterationTime(*next++);
  state.SetLabel(label_of(record_of(name, provenance), samples));
  if (samples.error.empty())
    add_counters(state, samples, name.board->problem->choices[name.board->choice].name, provenance);
}

void register_benchmark(const BenchmarkName& name, const BenchmarkFlags& flags, Sampler& sampler,
                        const record::Provenance& provenance) {
  auto* registered = register_manual(
      name.text(),
      [&sampler, &provenance, name](benchmark::State& state) {
        run_benchmark(state, sampler, name, provenance);
      },
      unit_of(flags));
  if (flags.dry_run || flags.iterations > 0) registered->Iterations(flags.dry_run ? 1 : flags.iterations);
}

Exit bench(const RunRequest& request) {
  const BenchmarkFlags& flags = request.benchmark;
  warn_ignored(flags.ignored, std::cerr);
  if (flags.list_tests) return list_benchmarks(request);
  const DeviceName device = choose_device(request.device);
  refuse_times(device, "podium bench");
  refuse_missing_sandbox(request);
  open_output(flags);
  const problem::Stage stage = stage_for(request, device.backend);
  contest::RunOptions options = options_of(request, stage, device);
  options.columns = options.energy = false;

  Sampler sampler;
  Job job(device, selection_of(request, stage, device.backend), options, sampler.sink(),
          verbosity_of(request.quiet, request.verbose));
  leave_out_untimed(job.plan());
  require_boards(job.plan(), request);
  const auto opened = job.prepare(fmt::format("{} workloads", name_of(stage)), request.require_sandbox);
  refuse_times(opened, "podium bench");
  job.build_all();
  auto provenance =
      describe(job.plan(), options, opened, job.toolchain(),
               {.command = request.command_line,
                .started = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()),
                .rates = job.runner().memory_rates()});
  add_calibration(provenance, request.results.empty() ? results_folder() : request.results);

  initialize(flags_for_google(flags), flags.out);
  add_context(provenance);
  std::size_t longest = 0;
  for (const BenchmarkName& name : benchmarks_of(job.plan())) {
    register_benchmark(name, flags, sampler, provenance);
    longest = std::max(longest, name.text().size());
  }
  {
    const Interruptible interruptible;
    sampler.drive(job.runner());
    run_registered(flags, longest);
  }
  return sampler.end(job.plan().faults);
}

Action declare(CLI::App& app, const Invocation& invocation) {
  const auto request = std::make_shared<RunRequest>();
  request->command_line = invocation.command_line;
  request->benchmark = invocation.benchmark;
  declare_selection(app, *request);
  app.add_option("--results", request->results,
                 "Folder of results; % SOL uses the device's calibration in it");
  app.footer(
      "Google Benchmark's flags are accepted. --benchmark_min_time takes seconds of calls (0.01s unless "
      "stated) or a number of calls (100x). Others that begin with --benchmark: _repetitions, "
      "_enable_random_interleaving, _min_warmup_time, _filter, _list_tests, _dry_run, _format, _out, "
      "_out_format, _time_unit, _color, _counters_tabular, _report_aggregates_only, "
      "_display_aggregates_only and _context. --v is accepted, too.");
  return [request] { return bench(*request); };
}

const Registered registered({.name = "bench",
                             .summary = "Measure contestants with Google Benchmark's runner; no ranks",
                             .place = 20,
                             .takes_benchmark_flags = true,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
