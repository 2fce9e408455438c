// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The `podium` command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "suite/cli/built.hpp"
#include "suite/cli/commands.hpp"
#include "suite/record/provenance.hpp"

namespace {

using podium::Exit;
namespace cli = podium::cli;

void add_compare(CLI::App& app, cli::CompareRequest& request) {
  constexpr const char* what = "A run's folder, results/<device>/<run>, or the commit that it measured";
  app.add_option("before", request.before, what)->required();
  app.add_option("after", request.after, what)->required();
  app.add_option("--margin", request.margin, "Percent below which a change does not count (1)")
      ->check(CLI::Range(0.0, 1000.0));
  app.add_flag("--all", request.all, "Rows that are the same, too");
  app.add_option("--results", request.results, "Folder of results in which commits are looked for");
  app.add_option("--format", request.format, "table, md, json or csv")
      ->check(CLI::IsMember({"table", "md", "json", "csv"}));
  app.footer(
      "Exit status 1 if anything is slower, fails or is gone. A run holds the commit that Podium's tree "
      "had.");
}

void add_calibrate(CLI::App& app, cli::CalibrateRequest& request) {
  app.add_option("--device", request.device, "host, cuda:0, hip:1 ...; the best there is if not named");
  app.add_option("--results", request.results, "Folder of results: DIR/<device>/calibration.json is written");
  app.add_option("--format", request.format, "table, md, json or svg (a roofline)")
      ->check(CLI::IsMember({"table", "md", "json", "svg"}));
  app.add_option("--svg", request.svg, "File for the roofline");
  app.add_option("--run", request.run, "With --svg: a run's folder, whose fastest rows are drawn as points");
}

constexpr const char* setup_timeout =
    "Seconds for loading a contestant, and for its constructor and warm-up call (120; --timeout if that is "
    "more)";

void add_selection(CLI::App& app, cli::RunRequest& request) {
  app.add_option(
      "problem", request.problems,
      "Problems to run; all if none is named, on the CPU with one choice of types each unless --full");
  app.add_option("--device", request.device, "host, cuda:0, hip:1 ...; the best there is if not named");
  app.add_option("--contestant", request.contestants,
                 "Contestants by name or file; the baseline always comes along")
      ->take_all();
  app.add_flag("--quick", request.quick, "The quick workloads (default on the host)");
  app.add_flag("--full", request.full, "The bench workloads (default on a GPU): those of published tables");
  app.add_flag("--isolated", request.isolated,
               "One worker at a time, started anew each round; for files you do not trust");
  app.add_flag(
      "--require-sandbox", request.require_sandbox,
      "Refuse to run where the sandbox falls short of a leaderboard's; `podium doctor` says of what");
  auto* quiet = app.add_flag("--quiet", request.quiet, "No progress");
  app.add_flag("-v,--verbose", request.verbose, "All notes, times by workload, where time went")
      ->excludes(quiet);
  app.add_option("--timeout", request.timeout, "Seconds a contestant may take for one answer (30)")
      ->check(CLI::Range(1, 86400));
  app.add_option("--setup-timeout", request.setup_timeout, setup_timeout)->check(CLI::Range(1, 86400));
  app.add_option("--memory", request.memory,
                 "MiB of host memory a contestant may take (3/4 of the machine's)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--device-memory", request.device_memory,
                 "MiB of the device's memory a contestant may hold between calls (3/4 of it)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--problems", request.folder, "Folder of problem folders");
}

void add_run(CLI::App& app, cli::RunRequest& request) {
  add_selection(app, request);
  app.add_flag("--cold-only", request.cold_only, "No hot, graph and end-to-end times beside those that rank");
  app.add_flag("--energy", request.energy,
               "Also the device's energy for a call: about 1.5 s more for each contestant and workload");
  app.add_option("--rounds", request.rounds, "Blocks in which every contestant is measured once (7)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--results", request.results, "Folder for results");
  app.add_option("--format", request.format, "table, md, json or csv")
      ->check(CLI::IsMember({"table", "md", "json", "csv"}));
  app.footer(
      "Google Benchmark's flags work, too: --benchmark_filter, _list_tests, _repetitions, _dry_run, _format, "
      "_out, _out_format, _time_unit, _color, _counters_tabular, _report_aggregates_only, "
      "_display_aggregates_only and _context; those that would change how it measures say why they change "
      "nothing here. `podium bench` lets Google Benchmark measure.");
}

void add_bench(CLI::App& app, cli::RunRequest& request) {
  add_selection(app, request);
  app.add_option("--results", request.results,
                 "Folder of results, whose calibration the speed of light follows");
  app.footer(
      "Takes Google Benchmark's flags: --benchmark_min_time (0.01 s of calls if not given, or 100x), "
      "_repetitions, _enable_random_interleaving, _min_warmup_time, _filter, _list_tests, _dry_run, _format, "
      "_out, _out_format, _time_unit, _color, _counters_tabular, _report_aggregates_only, "
      "_display_aggregates_only, _context and --v.");
}

int main_of(int argc, char** argv) {
  cli::RunRequest run;
  run.command_line = podium::record::command_line({argv, argv + argc});
  run.benchmark = cli::parse_benchmark_flags(argc, argv);  // takes them out of argv

  CLI::App app("Podium: which kernel is fastest for this problem, on this device?", "podium");
  app.set_version_flag("--version", "podium " + cli::version());
  app.require_subcommand(1);

  auto* run_command = app.add_subcommand("run", "Build, verify, measure and rank contestants");
  add_run(*run_command, run);

  cli::RunRequest bench;
  bench.command_line = run.command_line;
  bench.benchmark = run.benchmark;
  auto* bench_command =
      app.add_subcommand("bench", "Measure contestants as Google Benchmark's benchmarks; rank nothing");
  add_bench(*bench_command, bench);

  cli::VerifyRequest verify;
  auto* verify_command =
      app.add_subcommand("verify", "Verify contestants on the test workloads; time nothing");
  auto* full_flag =
      verify_command->add_flag("--full", verify.full, "Every element, on quick and bench workloads too");
  verify_command->add_flag("--quick", verify.with_quick, "Quick workloads, too")->excludes(full_flag);
  verify_command->add_option("problem", verify.problems, "Problems; all if none is named");
  verify_command->add_option("--device", verify.device,
                             "host, cuda:0, hip:1 ...; the best there is if not named");
  verify_command->add_option("--contestant", verify.contestants, "Contestants by name or file")->take_all();
  verify_command->add_option("--problems", verify.folder, "Folder of problem folders");
  auto* quiet_flag = verify_command->add_flag("--quiet", verify.quiet, "No progress");
  verify_command->add_flag("-v,--verbose", verify.verbose, "Progress by workload")->excludes(quiet_flag);
  verify_command
      ->add_option("--timeout", verify.timeout,
                   "Seconds for one answer, the judge's verification included (30; 600 with --full)")
      ->check(CLI::Range(1, 86400));
  verify_command->add_option("--setup-timeout", verify.setup_timeout, setup_timeout)
      ->check(CLI::Range(1, 86400));
  verify_command->add_option("--memory", verify.memory, "MiB of host memory a contestant may take")
      ->check(CLI::Range(1, 1 << 30));
  verify_command
      ->add_option("--device-memory", verify.device_memory,
                   "MiB of the device's memory a contestant may hold between calls")
      ->check(CLI::Range(1, 1 << 30));
  auto* workload_option = verify_command->add_option(
      "--workload", verify.workload, "One workload, of whatever stage: its name, or TYPES/NAME");
  auto* seed_option = verify_command->add_option("--seed", verify.seed,
                                                 "The call with this seed, as a verdict names it, again");
  verify_command->add_option("--call", verify.call, "Its number: as many others come before it")
      ->needs(seed_option)
      ->check(CLI::Range(0, 1 << 30));
  verify_command
      ->add_option("--structure", verify.structure, "The seed of its structure, where a verdict names one")
      ->needs(seed_option);
  seed_option->needs(workload_option);
  workload_option->excludes("--quick");
  verify_command->add_option(
      "--async", verify.async,
      "When asynchronous operations of an emulated CUDA device happen: lazy (as late as they "
      "may), eager, random:SEED");
  verify_command->add_option("--under", verify.under,
                             "A tool to start contestants under, outside the sandbox: "
                             "'compute-sanitizer --error-exitcode 9'");

  cli::BuildRequest build;
  auto* build_command = app.add_subcommand("build", "Compile contestants and judge's programs");
  build_command->add_option("problem", build.problems, "Problems; all if none is named");
  build_command->add_option("--contestant", build.contestants, "Contestants by name or file")->take_all();
  build_command->add_option("--backend", build.backend, "host, cuda or hip");
  build_command->add_option("--arch", build.arch, "sm_90, gfx942 ...");
  build_command->add_option("--problems", build.folder, "Folder of problem folders");
  build_command->add_option("--format", build.format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  build_command->add_option("--out", build.out,
                            "Cache folder to fill, to be carried to another machine (PODIUM_CACHE there)");

  std::vector<std::filesystem::path> files;
  auto* check_command = app.add_subcommand("check", "Check problem files");
  check_command->add_option("file", files, "problem.yaml, or the folder that holds it")->required();

  bool measure = false, references = false;
  std::string what = "problems", format = "table", device, checked_workload;
  check_command->add_flag(
      "--measure", measure,
      "Say what fills, samples and full verifications cost; more than 50 ms a sample on a "
      "GPU is refused");
  check_command->add_option("--device", device,
                            "With --measure: host, cuda:0 ...; the best there is if not named");
  check_command->add_option("--workload", checked_workload,
                            "Only this one, of whatever stage: its name, or TYPES/NAME");
  check_command->add_flag("--references", references, "With --measure: each reference's time, too");

  std::filesystem::path folder, out;
  auto* list_command = app.add_subcommand("list", "List problems and contestants, or devices");
  list_command->add_option("what", what, "problems or devices")
      ->check(CLI::IsMember({"problems", "devices"}));
  list_command->add_option("--problems", folder, "Folder of problem folders");
  list_command->add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}));

  cli::ShowRequest show{.problem = {}, .folder = {}, .format = "table", .generated = {}, .board = {}};
  auto* show_command = app.add_subcommand("show", "What a problem turns into");
  show_command->require_subcommand(1);
  auto* show_problem = show_command->add_subcommand(
      "problem", "Tensors, references, costs; shapes and memory of every workload; generated C++");
  show_problem->add_option("problem", show.problem, "A problem's name, or its file")->required();
  show_problem->add_option("--problems", show.folder, "Folder of problem folders");
  show_problem->add_option("--format", show.format, "table or json")->check(CLI::IsMember({"table", "json"}));
  show_problem
      ->add_option("--generated", show.generated,
                   "Only this text: header (contestants') or program (the judge's)")
      ->check(CLI::IsMember({"header", "program"}));
  show_problem->add_option("--board", show.board, "With --generated: of this board; the first if not named");
  auto* schema_command =
      app.add_subcommand("schema", "The problem file's format as a JSON Schema, for editors");

  std::string new_name, new_of, kind = "gpu.cpp";
  auto* new_command = app.add_subcommand("new", "First files of a problem, or of a contestant");
  new_command->require_subcommand(1);
  auto* new_problem =
      new_command->add_subcommand("problem", "A commented problem with two contestants, which runs");
  new_problem->add_option("name", new_name, "Of the problem: a folder of this name is made")->required();
  new_problem->add_option("--problems", folder, "Folder of problem folders");
  auto* new_contestant =
      new_command->add_subcommand("contestant", "A contestant that compiles and writes nothing yet");
  new_contestant->add_option("problem", new_of, "A problem's name, or its file")->required();
  new_contestant->add_option("name", new_name, "Of the contestant: its file without suffix")->required();
  new_contestant->add_option("--kind", kind,
                             "gpu.cpp (portable), cpp (CPU), cu, hip or sealed.gpu.cpp (gpu.cpp)");
  new_contestant->add_option("--problems", folder, "Folder of problem folders");

  std::vector<std::filesystem::path> runs;
  std::string report_format = "table";
  auto* report_command = app.add_subcommand("report", "Tables of finished runs");
  report_command->add_option("run", runs, "Folders of runs: results/<device>/<run>")->required();
  report_command->add_option("--format", report_format, "table, md, json or csv")
      ->check(CLI::IsMember({"table", "md", "json", "csv"}));
  report_command->add_option("--out", out, "Folder for report.md instead of the terminal");

  bool publish = false;
  report_command->add_flag("--publish", publish, "Write the run's tables to README.md beside its folder");

  cli::CacheRequest cache;
  auto* cache_command = app.add_subcommand("cache", "The folder of compiled contestants, and its limit");
  cache_command->add_option("--limit", cache.limit, "Most that it may hold from now on, such as 20GiB");
  cache_command->add_flag("--clear", cache.clear, "Remove all that no running podium uses");
  cache_command->add_option("--format", cache.format)->check(CLI::IsMember({"table", "json"}));

  cli::CompareRequest compare;
  auto* compare_command = app.add_subcommand("compare", "What has become faster or slower between two runs");
  add_compare(*compare_command, compare);

  cli::CalibrateRequest calibrate;
  calibrate.command_line = run.command_line;
  auto* calibrate_command = app.add_subcommand(
      "calibrate", "Measure what the device does at its best: memory, arithmetic, launches, clocks");
  add_calibrate(*calibrate_command, calibrate);
  auto* doctor_command = app.add_subcommand("doctor", "What this machine grants");
  cli::DoctorRequest doctor;
  auto* require_option =
      doctor_command->add_flag("--require-sandbox", doctor.require,
                               "Only the sandbox; exit status 2 where it falls short of a leaderboard's");
  auto* bundle_option =
      doctor_command
          ->add_option(
              "--bundle", doctor.bundle,
              "Write what this machine says of itself, and the newest runs, to this file, to be sent to "
              "others")
          ->excludes(require_option);
  doctor_command->add_option("--with", doctor.with, "With --bundle: files that it holds too")
      ->needs(bundle_option);
  doctor_command->add_option("--results", doctor.results, "With --bundle: folder of results");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(Exit::usage);
  }
  if (!run_command->parsed() && !bench_command->parsed() && !run.benchmark.given.empty())
    throw podium::Error(run.benchmark.given +
                        ": found with another command, expected with `podium run` or `podium bench`");
  Exit exit = Exit::well;
  if (run_command->parsed()) exit = cli::run(run);
  if (bench_command->parsed()) exit = cli::bench(bench);
  if (verify_command->parsed()) exit = cli::verify(verify);
  if (build_command->parsed()) exit = cli::build(build);
  if (check_command->parsed()) {
    if (!measure && !device.empty())
      throw podium::Error("check: found --device without --measure, expected both");
    if (!measure && references)
      throw podium::Error("check: found --references without --measure, expected both");
    exit = cli::check(files, checked_workload);
    if (measure) exit = cli::check_measure(files, device, references, checked_workload);
  }
  if (show_problem->parsed()) exit = cli::show_problem(show);
  if (schema_command->parsed()) exit = cli::show_schema();
  if (new_problem->parsed()) exit = cli::new_problem(new_name, folder);
  if (new_contestant->parsed()) exit = cli::new_contestant(new_of, new_name, kind, folder);
  if (list_command->parsed()) exit = cli::list(what, folder, format);
  if (report_command->parsed()) exit = cli::report(runs, report_format, out, publish);
  if (cache_command->parsed()) exit = cli::cache(cache);
  if (compare_command->parsed()) exit = cli::compare(compare);
  if (calibrate_command->parsed()) exit = cli::calibrate(calibrate);
  if (doctor_command->parsed()) exit = cli::doctor(doctor);
  return static_cast<int>(exit);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return main_of(argc, argv);
  } catch (const podium::Error& e) {
    fmt::print(stderr, "podium: {}\n", e.what());
    return static_cast<int>(e.exit());
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium: {}\n", e.what());
    return static_cast<int>(Exit::usage);
  }
}
