// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium calibrate`: what the device does at its best, measured, stored and shown.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "suite/cli/command.hpp"
#include "suite/cli/describe.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/progress.hpp"
#include "suite/compile/builder.hpp"
#include "suite/contest/calibrate.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/contest/plan.hpp"
#include "suite/problem/model/requirement.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/record.hpp"
#include "suite/report/calibration.hpp"
#include "suite/report/roofline.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::string device;             // as for run
  std::filesystem::path results;  // empty: the default
  std::string format = "table";   // table, md, json, svg
  std::filesystem::path svg;      // the roofline; empty: none
  std::filesystem::path run;      // a run's folder, whose points are drawn as well; empty: none
  std::string command_line;       // for the record
};

// An empty call needs some arena: that of the test workloads of the first problem that one device computes.
contest::Overheads measure_overheads(contest::Session& session, const DeviceName& name,
                                     const std::string& arch, const compile::Toolchain& toolchain) {
  contest::Plan plan = contest::plan({.problems = problems_folder()}, name.backend);
  std::erase_if(plan.boards, [&](const auto& board) {
    return contest::ranks_of(board) > 1 || !problem::unmet(*board.problem, name.backend, arch).empty();
  });
  if (plan.boards.empty())
    throw Error("no problem runs on this device, expected one to calibrate with; see `requires` of each");
  plan.boards.resize(1);
  plan.boards[0].entrants.clear();
  compile::Builder builder(toolchain, compile::default_cache());
  contest::build(plan, builder, name.backend, arch, {});
  const contest::BoardPlan& board = plan.boards[0];
  session.load(*board.problem, board.choice, board.program, board.reference.file);
  session.board(board.tests);
  const auto measured = contest::measure_overhead(session, board.tests.front());
  if (const auto* failure = std::get_if<contest::Failure>(&measured))
    throw Error(
        fmt::format("the trusted empty contestant failed: {}: {}", word_of(failure->verdict), failure->text),
        Fault::device);
  return std::get<contest::Overheads>(measured);
}

record::Calibration measure(const Request& request) {
  const DeviceName name = choose_device(request.device);
  refuse_times(name, "podium calibrate");
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto started = std::chrono::steady_clock::now();
  ProgressLine line(Verbosity::normal);
  const contest::Executables executables = executables_for(name);
  contest::Session session(executables, name.ordinal, {});
  refuse_times(session.device(), "podium calibrate");
  contest::require_open(executables, {name.ordinal, protocol::get(session.device().pci)});
  const std::string arch = code_architecture(name, session.device());
  const compile::Toolchain toolchain = compile::read_toolchain(toolchain_file());
  line.show("calibrate: compiling", "compiling");
  compile::Builder builder(toolchain, compile::default_cache());
  builder.add_calibration(name.backend, arch);
  const auto product = builder.run().front();
  if (product.status != compile::Product::Status::built) throw Error(product.message);
  session.load_calibration(product.file);

  record::Calibration calibration{.provenance = describe({}, {}, session.device(), toolchain,
                                                         {.command = request.command_line, .started = now}),
                                  .quantities = {}};
  calibration.quantities =
      contest::calibrate(session, [&](const std::string& probe) { line.show("calibrate: " + probe, probe); });
  line.show("calibrate: an empty call", "an empty call");
  for (auto& quantity : contest::quantities_of(measure_overheads(session, name, arch, toolchain)))
    calibration.quantities.push_back(std::move(quantity));
  line.clear();
  calibration.provenance.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return calibration;
}

Exit calibrate(const Request& request) {
  if (!request.run.empty() && request.svg.empty())
    throw Error("calibrate: found --run without --svg FILE, expected both; --run adds points to the drawing");
  if (const auto folder = request.svg.parent_path();
      !folder.empty() && !std::filesystem::is_directory(folder))
    throw Error(fmt::format("--svg {}: folder {} does not exist; create it, or choose another one",
                            request.svg.string(), folder.string()));
  std::optional<record::Run> run;  // a folder that holds none is said now, not after the measurement
  if (!request.run.empty()) run = record::read(request.run);
  const record::Calibration calibration = measure(request);
  const auto file = record::calibration_file(request.results.empty() ? results_folder() : request.results,
                                             calibration.provenance.device);
  record::write_calibration(file, calibration);
  fmt::print("{}", report::render(calibration, request.format));
  std::fflush(stdout);
  if (!request.svg.empty())
    record::write_file(request.svg,
                       report::roofline(calibration, run ? report::points_of(*run, calibration)
                                                         : std::vector<report::RooflinePoint>{}));
  if (const std::string doubts = report::doubts_about(calibration); !doubts.empty())
    fmt::print(stderr, "podium: {}\n", doubts);
  fmt::print(stderr, "podium: {:.0f} s; recorded in {}\n", calibration.provenance.wall_seconds,
             file.string());
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation& invocation) {
  const auto request = std::make_shared<Request>();
  request->command_line = invocation.command_line;
  app.add_option("--device", request->device, "host, cuda:0, hip:1, ...; default: the best device present");
  app.add_option("--results", request->results, "Folder of results, for <device>/calibration.json");
  app.add_option("--format", request->format, "Format of the output: table, md, json or svg (a roofline)")
      ->check(CLI::IsMember({"table", "md", "json", "svg"}));
  app.add_option("--svg", request->svg, "Write the roofline to this file");
  app.add_option("--run", request->run, "With --svg: a run's folder; draw its fastest rows as points");
  return [request] { return calibrate(*request); };
}

const Registered registered({.name = "calibrate",
                             .summary = "Measure a device's peak rates: memory, arithmetic, launches, clocks",
                             .place = 130,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
