// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium verify`: choose, build, verify on the test workloads, or on all. Nothing is timed; the verdicts are
// recorded where that is asked for.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <wordexp.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "suite/base/counted.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/import.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/measure.hpp"
#include "suite/cli/next_steps.hpp"
#include "suite/cli/places.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/record/record.hpp"
#include "suite/report/layout.hpp"
#include "suite/report/render.hpp"
#include "suite/report/summary.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::vector<std::string> problems, contestants;
  std::string device;
  std::filesystem::path folder;
  bool quiet = false, verbose = false;
  int timeout = 0;          // seconds a contestant may take for one answer; 0: 30, 600 if `full`
  int setup_timeout = 0;    // the same of a new instance; 0: setup_limit()
  std::int64_t memory = 0;  // MiB of host memory a contestant may take; 0: three quarters of the machine's
  std::int64_t device_memory = 0;  // the same of the device's
  bool full = false;               // every element, on quick and bench workloads too
  bool with_quick = false;         // quick workloads, too
  std::string workload;  // only it, of whatever stage: its name, or types/name; empty: test workloads
  std::string seed,
      structure;      // hexadecimal: of a call that is to be repeated, of its structure; empty: none
  int call = 0;       // its index
  std::string under;  // a command under which contestants' workers run: compute-sanitizer, gdb --args ...
  std::string
      async;  // when asynchronous operations of an emulated device happen: "lazy", "eager", "random:SEED"
  std::filesystem::path results;  // where a run of verdicts is recorded; empty: nowhere
  std::string command_line;       // for the record
};

std::vector<std::string> words_of(const std::string& command) {
  wordexp_t split{};
  if (wordexp(command.c_str(), &split, WRDE_NOCMD | WRDE_UNDEF) != 0 || split.we_wordc == 0)
    throw Error(
        fmt::format("--under '{}': found no command, expected a program and its options in quotes, such as "
                    "--under 'compute-sanitizer --tool racecheck'",
                    command));
  std::vector<std::string> words(split.we_wordv, split.we_wordv + split.we_wordc);
  wordfree(&split);
  return words;
}

constexpr int default_timeout = 30, full_timeout = 600;  // seconds

// Takes workloads out of the boards whose every element cannot be verified on the device, and says so;
// whether there were none.
bool leave_out_what_does_not_fit(contest::Plan& plan, std::int64_t memory) {
  bool all_fit = true;
  for (auto& board : plan.boards) {
    if (!board.unmet.empty()) continue;  // has rows that say why
    std::erase_if(board.tests, [&](int w) {
      const auto& problem = *board.problem;
      const auto instance =
          some_round(problem, problem.choices[board.choice], problem.workloads[static_cast<std::size_t>(w)]);
      const std::int64_t needed = memory_of(problem, instance, true);
      if (fits(needed, memory)) return false;
      fmt::print(stderr,
                 "podium: {}/{}: {}: not verified: full verification needs {} bytes, the device has {}\n",
                 problem.name, problem.choices[board.choice].name, instance.workload, needed, memory);
      all_fit = false;
      return true;
    });
  }
  std::erase_if(plan.boards, [](const auto& board) { return board.tests.empty(); });
  return all_fit;
}

std::uint64_t seed_from(const char* option, const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed, 16);
  if (error != std::errc() || end != text.data() + text.size() || seed == 0)
    throw Error(fmt::format(
        "{} '{}': expected 1 to 16 hexadecimal digits, not all 0, as in the command that a verdict shows",
        option, text));
  return seed;
}

// Leaves of the boards what `wanted` names: a workload, or one of some types.
void keep_workload(contest::Plan& plan, const std::string& wanted) {
  std::vector<std::string> all;
  for (auto& board : plan.boards)
    std::erase_if(board.tests, [&](int w) {
      const std::string& name = board.problem->workloads[static_cast<std::size_t>(w)].name;
      all.push_back(board.problem->choices[board.choice].name + "/" + name);
      return wanted != name && wanted != all.back();
    });
  std::erase_if(plan.boards, [](const auto& board) { return board.tests.empty(); });
  if (plan.boards.empty()) throw Error(fmt::format("--workload: {}", found_one_of(wanted, all)));
}

// A contestant's entries on one board, in one line: what failed, or how close to the limit it came, and
// where.
struct Row {
  std::string board, contestant;
  record::RecordedVerdict verdict;
  std::string text, again;
  int workloads = 0;            // on which it was right
  std::set<std::string> tried;  // workloads with an entry
  double worst = 0;             // on these
  double exact = -1;            // the same against fp64, of the largest magnitude; negative: not known
  std::int64_t left_out = 0;    // elements on these that were excused or may hold anything
  std::string where;            // that was: the workload, and the judge's words
};

std::string name_of(const contest::BoardPlan& board) {
  return board.problem->name + "/" + board.problem->choices[board.choice].name;
}

std::vector<Row> rows_of(const std::vector<record::Entry>& entries) {
  std::vector<Row> rows;
  for (const auto& entry : entries) {
    const std::string board = entry.problem + "/" + entry.types;
    auto row = std::ranges::find_if(
        rows, [&](const Row& r) { return r.board == board && r.contestant == entry.contestant; });
    if (row == rows.end())
      row = rows.insert(rows.end(),
                        {.board = board, .contestant = entry.contestant, .verdict = Verdict::right});
    row->tried.insert(entry.workload);
    if (entry.verdict == Verdict::right) {
      ++row->workloads;
      if (entry.worst > row->worst) row->where = fmt::format("{}: {}", entry.workload, entry.text);
      row->worst = std::max(row->worst, entry.worst);
      row->exact = std::max(row->exact, entry.exact);
      row->left_out += entry.left_out;
    }
    if (entry.verdict == Verdict::right || record::failed(row->verdict)) continue;
    row->verdict = entry.verdict;
    row->text = entry.workload.empty() ? entry.text : fmt::format("{}: {}", entry.workload, entry.text);
    row->again = entry.again;
  }
  return rows;
}

// The workloads that each board is verified on, by its name in rows.
using Workloads = std::map<std::string, std::vector<std::string>>;

Workloads workloads_of(const contest::Plan& plan) {
  Workloads all;
  for (const auto& board : plan.boards)
    for (const int w : board.tests)
      all[name_of(board)].push_back(board.problem->workloads[static_cast<std::size_t>(w)].name);
  return all;
}

// Of a contestant that failed nowhere: what was to be verified and was not, as where the problem was at
// fault.
std::string not_verified(const Row& row, const Workloads& workloads) {
  if (record::failed(row.verdict)) return "";
  std::vector<std::string> missing;
  for (const std::string& name : workloads.at(row.board))
    if (!row.tried.contains(name)) missing.push_back(name);
  return missing.empty() ? "" : fmt::format("; not verified on {}", fmt::join(missing, ", "));
}

// Widths of the columns over the whole plan, since rows are printed board by board.
struct Widths {
  std::size_t board = 0, contestant = 0;
};

Widths widths_of(const contest::Plan& plan) {
  Widths widths;
  for (const auto& board : plan.boards) {
    widths.board = std::max(widths.board, name_of(board).size());
    for (const auto& entrant : board.entrants)
      widths.contestant = std::max(widths.contestant, entrant.contestant.name.size());
  }
  return widths;
}

void put(const std::string& text) {
  static_cast<void>(std::fputs(text.c_str(), stdout));
  std::fflush(stdout);
}

void print(const std::vector<Row>& rows, const Workloads& workloads, const Widths& widths) {
  std::size_t verdict = 0;
  for (const auto& row : rows) verdict = std::max(verdict, row.verdict.word().size());
  for (const auto& row : rows) {
    std::string text = row.text;
    if (row.workloads > 0) {
      if (!text.empty()) text += "; ";
      text += fmt::format("right on {}", counted(row.workloads, "workload"));
      if (row.worst > 0)
        text += "; " + row.where;
      else if (row.exact > 0)
        text += fmt::format("; error against fp64 {:.2g} of the largest magnitude", row.exact);
      else
        text += ", without error";
      if (row.left_out > 0)
        text += fmt::format("; {} excused or of any value", counted(row.left_out, "element"));
      text += not_verified(row, workloads);
    }
    put(fmt::format("{:{}}  {:{}}  {:{}}  {}\n", row.board, widths.board, row.contestant, widths.contestant,
                    row.verdict.word(), verdict, text));
    if (!row.again.empty()) put(fmt::format("  again: {}\n", row.again));  // a line of its own, to be copied
  }
}

// Rows of a board by outcome, and the largest error over its limit.
struct Outcomes {
  int rows = 0, right = 0, failed = 0, declined = 0;
  double worst = 0;
};

Outcomes outcomes_of(const std::vector<Row>& rows, const std::string& board) {
  Outcomes all;
  for (const Row& row : rows) {
    if (row.board != board) continue;
    ++all.rows;
    ++(record::failed(row.verdict) ? all.failed : record::declined(row.verdict) ? all.declined : all.right);
    all.worst = std::max(all.worst, row.worst);
  }
  return all;
}

std::vector<report::NextStep> steps_after(const contest::Plan& plan, const std::vector<Row>& rows,
                                          const std::filesystem::path& problems) {
  std::vector<report::NextStep> first;
  if (const auto failed = std::ranges::find_if(rows, [](const Row& row) { return !row.again.empty(); });
      failed != rows.end())
    first.push_back(
        {own_command() + failed->again.substr(failed->again.find(' ')), "the first call that failed, again"});
  return next_steps(std::move(first), {Suggestion::verify_full, Suggestion::run, Suggestion::show_problem},
                    plan.boards.front().problem->name, problems);
}

// The page at the end: the outcomes of each board, what failed, what to try next.
void print_page(const contest::Plan& plan, const std::vector<Row>& rows,
                const std::filesystem::path& problems) {
  const auto style = report::terminal_style();
  report::Table table{.columns = {{.header = "problem", .names = true},
                                  {.header = "types", .names = true, .importance = 5},
                                  {.header = "right", .right = true},
                                  {.header = "failed", .right = true, .importance = 4},
                                  {.header = "not run", .right = true, .importance = 2},
                                  {.header = "err/tol", .right = true, .importance = 1}},
                      .lines = {}};
  Outcomes all;
  const auto count = [](int number) { return number == 0 ? std::string() : fmt::format("{}", number); };
  for (const auto& board : plan.boards) {
    const Outcomes one = outcomes_of(rows, name_of(board));
    all.rows += one.rows, all.right += one.right, all.failed += one.failed, all.declined += one.declined;
    table.lines.push_back(
        {.cells = {board.problem->name, board.problem->choices[board.choice].name,
                   fmt::format("{} of {}", one.right, one.rows), count(one.failed), count(one.declined),
                   one.worst > 0 ? fmt::format("{:.2f}", one.worst) : std::string()},
         .remark = ""});
  }
  std::vector<report::Failed> failed;
  for (const Row& row : rows)
    if (record::failed(row.verdict))
      failed.push_back({row.board, row.contestant, fmt::format("{}: {}", row.verdict.word(), row.text)});
  std::string out = fmt::format("\n{}: {} right, {} failed, {} not available here\n\n",
                                counted(plan.boards.size(), "board"), all.right, all.failed, all.declined);
  report::put_table(out, table, std::max(style.columns, report::least_columns));
  report::put_failed(out, failed, style);
  report::put_next(out, steps_after(plan, rows, problems), style);
  put(style.unicode ? out : report::ascii_lines(out));
}

// A run that holds verdicts and no times.
class Record {
 public:
  // After the device was opened.
  void begin(const Request& request, Job& job, const contest::RunOptions& options,
             const protocol::Opened& opened) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    provenance_ = describe(job.plan(), options, opened, job.toolchain(),
                           {.command = request.command_line, .started = now});
    leave_out_times();
    folder_ = record::run_folder(request.results, provenance_.device, now, std::random_device{}());
    writer_.emplace(folder_, record::to_json(provenance_));
    job.runner().hide(std::filesystem::canonical(folder_));
  }
  void keep(const contest::BoardPlan& board) {
    if (writer_) keep_sources(*writer_, board);
  }
  void append(const record::Entry& entry) {
    if (writer_) writer_->append(entry);
  }
  void finish(Job& job) {
    if (!writer_) return;
    provenance_.spent = job.spent();
    provenance_.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    provenance_.secrets = job.runner().secrets();
    describe_boards(provenance_, job.plan(), {});
    leave_out_times();
    writer_->finish(record::to_json(provenance_));
    report::write(record::read(folder_), folder_);
    fmt::print(stderr, "podium: recorded in {}\n", relative_to_here(folder_));
  }

 private:
  // Of what `podium run` would time nothing was planned here.
  void leave_out_times() {
    for (record::BoardRecord& board : provenance_.boards) {
      board.stage = name_of(problem::Stage::test);
      board.workloads.clear();
    }
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::filesystem::path folder_;
  record::Provenance provenance_;
  std::optional<record::Writer> writer_;
};

Exit verify(const Request& request) {
  contest::RunOptions options;
  const auto device = choose_device(request.device);
  if (!request.async.empty()) device::set_asynchrony(request.async, device.emulated);
  options.device = device.ordinal;
  options.device_words = device.words();
  options.problems_words = problems_option(request.folder);
  options.rounds = 0;
  options.limits.memory = request.memory << 20;
  options.limits.device_memory = request.device_memory << 20;
  options.full = request.full;
  options.limits.call = std::chrono::seconds(request.timeout > 0               ? request.timeout
                                             : request.full || device.emulated ? full_timeout
                                                                               : default_timeout);
  options.limits.setup = setup_limit(request.setup_timeout, options.limits.call);
  if (!request.seed.empty())
    options.replay = contest::Replay{
        .seed = seed_from("--seed", request.seed),
        .structure = request.structure.empty() ? 0 : seed_from("--structure", request.structure),
        .call = request.call};
  if (!request.under.empty()) options.limits.under = words_of(request.under);
  using problem::Stage;
  const Stage verified = request.full || !request.workload.empty() ? Stage::bench
                         : request.with_quick                      ? Stage::quick
                                                                   : Stage::test;
  std::vector<record::Entry> entries;
  Record record;
  Job job(
      device,
      {.problems = request.folder.empty() ? problems_folder() : request.folder,
       .names = request.problems,
       .contestants = request.contestants,
       .baseline = request.contestants.empty(),
       .verified = verified},
      options,
      [&](const record::Entry& entry) {
        record.append(entry);
        entries.push_back(entry);
      },
      verbosity_of(request.quiet, request.verbose));
  if (!request.workload.empty()) keep_workload(job.plan(), request.workload);
  const auto opened = job.prepare(options.replay              ? "one call again, nothing is timed"
                                  : !request.workload.empty() ? "one workload, nothing is timed"
                                  : request.full              ? "all workloads in full, nothing is timed"
                                  : request.with_quick        ? "test and quick workloads, nothing is timed"
                                                              : "test workloads, nothing is timed");
  const Workloads workloads = workloads_of(job.plan());
  const bool all_fit = !request.full || leave_out_what_does_not_fit(job.plan(), opened.memory);
  const Widths widths = widths_of(job.plan());
  std::size_t printed = 0;        // entries of boards before
  std::signal(SIGPIPE, SIG_IGN);  // whoever reads standard output may be gone
  if (!request.results.empty()) record.begin(request, job, options, opened);
  const auto keep = [&](const contest::BoardPlan& board) { record.keep(board); };
  const bool sound = job.run(keep, [&](const contest::BoardPlan&) {
    print(rows_of({entries.begin() + static_cast<std::ptrdiff_t>(printed), entries.end()}), workloads,
          widths);
    printed = entries.size();
  });
  record.finish(job);
  if (job.plan().boards.size() > 1) print_page(job.plan(), rows_of(entries), request.folder);
  if (!sound) return Exit::usage;
  const Exit exit = exit_of(entries);
  return exit == Exit::success && !all_fit ? Exit::contestant : exit;
}

Action declare(CLI::App& app, const Invocation& invocation) {
  const auto request = std::make_shared<Request>();
  request->command_line = invocation.command_line;
  auto* full_flag =
      app.add_flag("--full", request->full, "Verify every element, on quick and bench workloads, too");
  app.add_flag("--quick", request->with_quick, "Verify quick workloads, too")->excludes(full_flag);
  app.add_option("problem", request->problems, "Problems to verify; default: all");
  app.add_option("--device", request->device, "host, cuda:0, hip:1, ...; default: the best device present");
  app.add_option("--contestant", request->contestants, "Contestants by name or file")->take_all();
  app.add_option("--problems", request->folder, "Folder that holds the problem folders");
  auto* quiet_flag = app.add_flag("--quiet", request->quiet, "Show no progress");
  app.add_flag("-v,--verbose", request->verbose, "Show progress by workload")->excludes(quiet_flag);
  app.add_option("--timeout", request->timeout,
                 "Seconds that a contestant may take for one answer, including the judge's verification (30; "
                 "600 with --full)")
      ->check(CLI::Range(1, 86400));
  app.add_option("--setup-timeout", request->setup_timeout, setup_timeout_help)->check(CLI::Range(1, 86400));
  app.add_option("--memory", request->memory,
                 "MiB of host memory that a contestant may use (3/4 of the machine's)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--device-memory", request->device_memory,
                 "MiB of device memory that a contestant may hold between calls (3/4 of the device's)")
      ->check(CLI::Range(1, 1 << 30));
  auto* workload_option =
      app.add_option("--workload", request->workload, "Only this workload, of any stage: NAME or TYPES/NAME");
  auto* seed_option = app.add_option("--seed", request->seed,
                                     "Repeat the call with this seed, from the command that a verdict shows");
  app.add_option("--call", request->call, "Zero-based index of the call")
      ->needs(seed_option)
      ->check(CLI::Range(0, 1 << 30));
  app.add_option("--structure", request->structure,
                 "Seed of the call's structure, from the command that a verdict shows")
      ->needs(seed_option);
  seed_option->needs(workload_option);
  workload_option->excludes("--quick");
  app.add_option("--async", request->async,
                 "When an emulated CUDA device executes asynchronous operations: lazy (as late as allowed, "
                 "default), eager or random:SEED");
  auto* under_option = app.add_option(
      "--under", request->under,
      "Run contestants under a tool, outside the sandbox, such as 'compute-sanitizer --error-exitcode 9'");
  app.add_option("--results", request->results,
                 "Record the verdicts in this folder of results, as `podium run` records times")
      ->excludes(under_option)
      ->excludes(workload_option);
  return [request] {
    import_in_place(request->problems, request->folder);
    return verify(*request);
  };
}

const Registered registered({.name = "verify",
                             .summary = "Verify contestants on the test workloads, without timing them",
                             .place = 30,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
