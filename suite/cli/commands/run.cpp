// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run`: choose, build, measure, record, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/base/interrupt.hpp"
#include "suite/cli/benchmark_view.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/next_steps.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/request.hpp"
#include "suite/cli/resumed_run.hpp"
#include "suite/record/record.hpp"
#include "suite/record/sources.hpp"
#include "suite/report/render.hpp"
#include "suite/report/run_notes.hpp"
#include "suite/report/summary.hpp"

namespace podium::cli {
namespace {

// Whoever reads standard output may be gone, which is no reason to lose a run.
void put(const std::string& text) {
  static_cast<void>(std::fputs(text.c_str(), stdout));
  std::fflush(stdout);
}

// Prints each board's table as soon as the board has ended.
class Tables {
 public:
  Tables(bool wanted, const report::Style& style) : wanted_(wanted), style_(style) {}

  // Of the whole run, or of those boards that have ended.
  void show(const record::Run& run) {
    if (!wanted_) return;
    const report::Report report = report::report_of(run);
    if (!std::exchange(begun_, true)) put(report::terminal_heading(report.provenance, style_));
    for (const auto& board : report.boards)
      if (!board.rows.empty() && shown_.emplace(board.problem, board.types, board.series).second)
        put(report::terminal_board(board, style_));
  }

 private:
  bool wanted_, begun_ = false;
  report::Style style_;
  std::set<std::tuple<std::string, std::string, int>> shown_;
};

// How long boards take, and of that their verification: what plans of later campaigns are estimated from.
class BoardTimes {
 public:
  void begin() {
    began_ = std::chrono::steady_clock::now();
    verified_ = -1;
  }
  void see(const record::Entry& entry) {
    if (entry.round >= 0 && verified_ < 0) verified_ = seconds();
  }
  void end(const contest::BoardPlan& board) {
    times_[{board.problem->name, board.problem->choices[board.choice].name, board.series}] = {
        seconds(), verified_ < 0 ? seconds() : verified_};
  }
  void describe(record::Provenance& provenance) const {
    for (record::BoardRecord& board : provenance.boards)
      if (const auto found = times_.find({board.problem, board.types, board.series}); found != times_.end())
        std::tie(board.seconds, board.verification_seconds) = found->second;
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  std::chrono::steady_clock::time_point began_;
  double verified_ = -1;  // seconds until the first round began; negative: it has not
  std::map<std::tuple<std::string, std::string, int>, std::pair<double, double>> times_;
};

// What is recorded of one board, as a run of its own. The run goes on: no seed of a call is in it.
record::Run part_of(const record::Provenance& provenance, const std::vector<record::Entry>& entries,
                    const contest::BoardPlan& board) {
  const auto& types = board.problem->choices[board.choice].name;
  const auto is_its = [&](const auto& part) {
    return part.problem == board.problem->name && part.types == types && part.series == board.series;
  };
  record::Run part;
  record::Provenance its = provenance;
  std::erase_if(its.boards, [&](const auto& other) { return !is_its(other); });
  part.provenance = record::to_json(its);
  for (record::Entry entry : entries) {
    if (!is_its(entry)) continue;
    entry.again.clear();
    entry.seeds.clear();
    part.entries.push_back(record::published(std::move(entry)));
  }
  return part;
}

std::vector<report::NextStep> steps_after(const report::Report& report, const std::string& folder,
                                          problem::Stage stage, const std::filesystem::path& problems) {
  std::vector<report::NextStep> first{
      {fmt::format("{} report {}", own_command(), folder), "all notes, and times by workload"}};
  if (!report.provenance.ended.empty())
    first.insert(first.begin(),
                 {fmt::format("{} run --resume {}{}", own_command(), folder, problems_option(problems)),
                  "measure what is missing"});
  return next_steps(first,
                    {stage == problem::Stage::quick ? Suggestion::run_full : Suggestion::verify_full,
                     Suggestion::new_contestant},
                    report.boards.empty() ? "softmax" : report.boards.front().problem, problems,
                    recorded_backend(report.provenance.device.backend).gpu ? "gpu.cpp" : "cpp");
}

Exit run(const RunRequest& given) {
  const auto started = std::chrono::steady_clock::now();
  RunRequest request = given;
  std::optional<ResumedRun> resumed;
  if (!request.resume.empty()) resumed.emplace(request.resume);
  if (resumed) resumed->complete(request);
  warn_ignored(request.benchmark.ignored_by_run, std::cerr);
  warn_ignored(request.benchmark.ignored, std::cerr);
  if (request.benchmark.list_tests) return list_benchmarks(request);
  const DeviceName device = choose_device(request.device);
  refuse_times(device, "podium run");
  const problem::Stage stage = stage_for(request, device.backend);
  contest::Selection selection = selection_of(request, stage, device.backend);
  refuse_missing_sandbox(request);
  open_output(request.benchmark);  // said now, not after the run
  auto options = options_of(request, stage, device);
  if (resumed) resumed->complete(selection, options);
  std::vector<record::Entry> entries;
  std::unique_ptr<record::Writer> writer;
  BoardTimes times;
  Job job(
      device, selection, options,
      [&](record::Entry entry) {
        entry.segment = resumed ? resumed->segment() : 0;
        writer->append(entry);
        times.see(entry);
        entries.push_back(std::move(entry));
      },
      verbosity_of(request.quiet, request.verbose));
  if (resumed && !resumed->plan_rest(job.plan())) {
    fmt::print("{}: the run is complete, and no contestant has changed: nothing is left to measure\n",
               request.resume.string());
    return Exit::success;
  }
  require_boards(job.plan(), request);
  if (resumed) resumed->require_same(job.runner().device(), job.toolchain());
  const auto opened =
      job.prepare(fmt::format("{} workloads, {}", name_of(stage), counted(options.rounds, "round")),
                  request.require_sandbox);
  refuse_times(opened, "podium run");  // however it was reached

  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto provenance = describe(job.plan(), options, opened, job.toolchain(),
                             {.command = request.command_line,
                              .started = now,
                              .rates = resumed ? protocol::Calibrated{} : job.runner().memory_rates()});
  provenance.filter = request.benchmark.filter;
  auto folder = request.resume;
  if (resumed) {
    provenance = resumed->begin(provenance);
    entries = resumed->entries();
    writer = resumed->writer(provenance);
  } else {
    const auto results = request.results.empty() ? results_folder() : request.results;
    add_calibration(provenance, results);
    folder = record::run_folder(results, provenance.device, now, std::random_device{}());
    writer = std::make_unique<record::Writer>(folder, record::to_json(provenance));
  }
  const auto describe_all = [&] {
    describe_boards(provenance, job.plan(), job.runner().overheads());
    times.describe(provenance);
    if (resumed) resumed->add_others(provenance);
  };
  job.runner().hide(std::filesystem::canonical(folder));
  auto style = report::terminal_style();
  style.brief = !request.verbose;
  const bool as_page = request.format == "table";
  Tables tables(as_page, style);
  bool sound = false;
  std::optional<Error> trouble;  // what was measured is shown all the same
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const Interruptible interruptible;
    sound = job.run(
        [&](const contest::BoardPlan& board) {
          keep_sources(*writer, board);
          describe_all();
          writer->update(record::to_json(provenance));
          times.begin();
        },
        [&](const contest::BoardPlan& board) {
          times.end(board);
          describe_all();
          tables.show(part_of(provenance, entries, board));
        });
  } catch (const Error& e) {
    trouble = e;
    provenance.ended = record::without_folders_in(e.what());
  }

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  provenance.wall_seconds = seconds;
  provenance.spent = job.spent();
  provenance.secrets = job.runner().secrets();
  if (resumed) resumed->end(provenance);
  describe_all();
  std::ranges::transform(entries, entries.begin(), record::published);
  const record::Run finished{folder, record::to_json(provenance), entries,
                             resumed ? resumed->set_aside() : std::vector<record::Entry>{}};
  // First of all: whoever reads standard output may be gone, ended by what ended the run.
  std::optional<Error> unfinished;
  try {
    writer->finish(finished.provenance);
    report::write(finished, folder);
  } catch (const Error& e) {
    unfinished = e;
  }
  tables.show(finished);
  if (as_page) {
    const auto report = report::report_of(finished);
    const std::string place = unfinished ? "" : relative_to_here(folder);
    put(report::summary(
        report, place,
        unfinished ? std::vector<report::NextStep>{} : steps_after(report, place, stage, request.folder),
        style));
  } else {
    put(report::render(finished, request.format));
  }
  if (request.verbose)
    fmt::print(stderr, "podium: {}\n", report::spent_text(provenance.spent, provenance.wall_seconds));
  if (!unfinished && (trouble || !as_page)) fmt::print(stderr, "podium: recorded in {}\n", folder.string());
  if (trouble) throw *trouble;
  if (unfinished) throw *unfinished;
  if (request.benchmark.wanted()) present(request.benchmark, report::benchmark_rows(entries));
  if (!sound) return Exit::usage;
  return exit_of(entries);
}

Action declare(CLI::App& app, const Invocation& invocation) {
  const auto request = std::make_shared<RunRequest>();
  request->command_line = invocation.command_line;
  request->benchmark = invocation.benchmark;
  declare_selection(app, *request);
  auto* resume = app.add_option(
      "--resume", request->resume,
      "Go on with the run in this folder: measure what it lacks, and contestants that have changed since");
  app.add_flag("--cold-only", request->cold_only,
               "Skip the hot, graph, end-to-end and steady times, which do not rank");
  app.add_flag("--energy", request->energy,
               "Also measure the energy of a call: about 1.5 s more for each contestant and workload");
  auto* rounds =
      app.add_option("--rounds", request->rounds, "Number of rounds; each measures every contestant once (7)")
          ->check(CLI::Range(1, 1000));
  rounds->excludes(resume);
  app.add_option("--results", request->results, "Folder for the results")->excludes(resume);
  for (const char* taken : {"problem", "--quick", "--full", "--isolated", "--cold-only", "--energy"})
    app.get_option(taken)->excludes(resume);
  app.add_option("--format", request->format, "Format of the output: table, md, json or csv")
      ->check(CLI::IsMember({"table", "md", "json", "csv"}));
  app.footer(
      "Google Benchmark's flags are accepted: --benchmark_filter, _list_tests, _repetitions, _dry_run, "
      "_format, "
      "_out, _out_format, _time_unit, _color, _counters_tabular, _report_aggregates_only, "
      "_display_aggregates_only and _context. Flags about how Google Benchmark measures have no effect, and "
      "a message says why. With `podium bench` Google Benchmark itself measures.");
  return [request] { return run(*request); };
}

const Registered registered({.name = "run",
                             .summary = "Build, verify, measure and rank contestants",
                             .place = 10,
                             .takes_benchmark_flags = true,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
