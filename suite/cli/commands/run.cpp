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
#include "suite/cli/import.hpp"
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

// One `podium run`, from the request to the last line on the terminal.
class Running {
 public:
  explicit Running(const RunRequest& request) : request_(request), style_(report::terminal_style()) {
    if (request.resume.empty()) return;
    resumed_.emplace(request.resume);
    if (request.rounds > 0) resumed_->add_rounds(request.rounds);
    resumed_->complete(request_);
  }

  Exit run() {
    warn_ignored(request_.benchmark.ignored_by_run, std::cerr);
    warn_ignored(request_.benchmark.ignored, std::cerr);
    if (request_.benchmark.list_tests) return list_benchmarks(request_);
    if (!plan()) {
      fmt::print("{}: the run is complete, and no contestant has changed: nothing is left to measure\n",
                 request_.resume.string());
      return Exit::success;
    }
    begin_record();
    measure();
    const record::Run finished = end_record();
    show(finished);
    if (trouble_) throw *trouble_;
    if (unfinished_) throw *unfinished_;
    if (request_.benchmark.wanted()) present(request_.benchmark, report::benchmark_rows(entries_));
    return sound_ ? exit_of(entries_) : Exit::usage;
  }

 private:
  // Chooses what is measured; false: nothing is left of a run that is resumed.
  bool plan() {
    const DeviceName device = choose_device(request_.device);
    refuse_times(device, "podium run");
    stage_ = stage_for(request_, device.backend);
    contest::Selection selection = selection_of(request_, stage_, device.backend);
    refuse_missing_sandbox(request_);
    open_output(request_.benchmark);  // said now, not after the run
    options_ = options_of(request_, stage_, device);
    if (resumed_) resumed_->complete(selection, options_);
    job_.emplace(
        device, selection, options_, [this](record::Entry entry) { keep(std::move(entry)); },
        verbosity_of(request_.quiet, request_.verbose));
    if (resumed_ && !resumed_->plan_rest(job_->plan())) return false;
    require_boards(job_->plan(), request_);
    return true;
  }

  void keep(record::Entry entry) {
    entry.segment = resumed_ ? resumed_->segment() : 0;
    writer_->append(entry);
    times_.see(entry);
    entries_.push_back(std::move(entry));
  }

  // Opens the device, and the run's folder.
  void begin_record() {
    if (resumed_) resumed_->require_same(job_->runner().device(), job_->toolchain());
    const auto opened =
        job_->prepare(fmt::format("{} workloads, {}", name_of(stage_), counted(options_.rounds, "round")),
                      request_.require_sandbox);
    refuse_times(opened, "podium run");  // however it was reached
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    provenance_ = describe(job_->plan(), options_, opened, job_->toolchain(),
                           {.command = request_.command_line,
                            .started = now,
                            .rates = resumed_ ? protocol::Calibrated{} : job_->runner().memory_rates()});
    provenance_.filter = request_.benchmark.filter;
    if (resumed_) {
      folder_ = request_.resume;
      provenance_ = resumed_->begin(provenance_);
      entries_ = resumed_->entries();
      writer_ = resumed_->writer(provenance_);
    } else {
      const auto results = request_.results.empty() ? results_folder() : request_.results;
      add_calibration(provenance_, results);
      folder_ = record::run_folder(results, provenance_.device, now, std::random_device{}());
      writer_ = std::make_unique<record::Writer>(folder_, record::to_json(provenance_));
    }
    job_->runner().hide(std::filesystem::canonical(folder_));
  }

  void describe_all() {
    describe_boards(provenance_, job_->plan(), job_->runner().overheads());
    times_.describe(provenance_);
    if (resumed_) resumed_->add_others(provenance_);
  }

  bool as_page() const { return request_.format == "table"; }

  void measure() {
    style_.brief = !request_.verbose;
    tables_.emplace(as_page(), style_);
    std::signal(SIGPIPE, SIG_IGN);
    try {
      const Interruptible interruptible;
      sound_ = job_->run(
          [this](const contest::BoardPlan& board) {
            keep_sources(*writer_, board);
            describe_all();
            writer_->update(record::to_json(provenance_));
            times_.begin();
          },
          [this](const contest::BoardPlan& board) {
            times_.end(board);
            describe_all();
            tables_->show(part_of(provenance_, entries_, board));
          });
    } catch (const Error& e) {
      trouble_ = e;
      provenance_.ended = record::without_folders_in(e.what());
    }
  }

  // First of all: whoever reads standard output may be gone, ended by what ended the run.
  record::Run end_record() {
    provenance_.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    provenance_.spent = job_->spent();
    provenance_.secrets = job_->runner().secrets();
    if (resumed_) resumed_->end(provenance_);
    describe_all();
    std::ranges::transform(entries_, entries_.begin(), record::published);
    record::Run finished{folder_, record::to_json(provenance_), entries_,
                         resumed_ ? resumed_->set_aside() : std::vector<record::Entry>{}};
    try {
      writer_->finish(finished.provenance);
      report::write(finished, folder_);
    } catch (const Error& e) {
      unfinished_ = e;
    }
    return finished;
  }

  void show(const record::Run& finished) {
    tables_->show(finished);
    if (as_page()) {
      const auto report = report::report_of(finished);
      const std::string place = unfinished_ ? "" : relative_to_here(folder_);
      put(report::summary(
          report, place,
          unfinished_ ? std::vector<report::NextStep>{} : steps_after(report, place, stage_, request_.folder),
          style_));
    } else {
      put(report::render(finished, request_.format));
    }
    if (request_.verbose)
      fmt::print(stderr, "podium: {}\n", report::spent_text(provenance_.spent, provenance_.wall_seconds));
    if (!unfinished_ && (trouble_ || !as_page()))
      fmt::print(stderr, "podium: recorded in {}\n", folder_.string());
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  RunRequest request_;
  report::Style style_;
  std::optional<ResumedRun> resumed_;
  problem::Stage stage_{};
  contest::RunOptions options_;
  std::filesystem::path folder_;
  record::Provenance provenance_;
  std::vector<record::Entry> entries_;
  std::unique_ptr<record::Writer> writer_;
  std::optional<Job> job_;  // appends to the writer
  std::optional<Tables> tables_;
  BoardTimes times_;
  bool sound_ = false;
  std::optional<Error> trouble_;     // what was measured is shown all the same
  std::optional<Error> unfinished_;  // the record could not be ended
};

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
  app.add_option("--rounds", request->rounds,
                 "Number of rounds; each measures every contestant once (7); with --resume, more than before")
      ->check(CLI::Range(1, 1000));
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
  return [request] {
    import_in_place(request->problems, request->folder);
    return Running(*request).run();
  };
}

const Registered registered({.name = "run",
                             .summary = "Build, verify, measure and rank contestants",
                             .place = 10,
                             .takes_benchmark_flags = true,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
