// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium import KIND SOURCE`: problem folders of tasks that other suites have.
#include "suite/cli/import.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "suite/cli/command.hpp"
#include "suite/cli/places.hpp"

namespace podium::cli {
namespace {

// Options of one kind of import, passed on to the importer.
struct Own {
  std::string mode, precision, sizes;
  std::vector<std::filesystem::path> solutions;
};

void pass_on(const Own& own, ImportRequest& request) {
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) request.options.insert(request.options.end(), {option, value});
  };
  add("--mode", own.mode);
  add("--precision", own.precision);
  add("--sizes", own.sizes);
  for (const auto& solution : own.solutions) {
    if (!std::filesystem::is_regular_file(solution))
      throw Error(fmt::format("--solution {}: is no file", solution.string()));
    request.files.push_back(solution);
    add("--solution", std::filesystem::canonical(solution).string());
  }
  if (!request.options.empty() && request.kind != "kernelbench")
    throw Error(
        fmt::format("{}: is an option of kernelbench, not of {}", request.options.front(), request.kind));
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<ImportRequest>();
  const auto own = std::make_shared<Own>();
  app.add_option("kind", request->kind, "Form of the tasks: gpumode, kernelbench or flashinfer-bench")
      ->required()
      ->check(CLI::IsMember(import_kinds()));
  app.add_option("source", request->source, "A task's folder or file, or a folder that has tasks below it")
      ->required();
  app.add_option("--to", request->to, "Folder that gets the problem folders; default: that of all problems");
  app.add_option("--name", request->name, "Name of the problem, if the source is one task");
  app.add_option("--report", request->report, "File for the report as JSON: each task's state, and why");
  app.add_option("--mode", own->mode,
                 "kernelbench: train as it runs tasks, eval, or eval only where train is random (auto)")
      ->check(CLI::IsMember({"auto", "train", "eval"}));
  app.add_option("--precision", own->precision, "kernelbench: dtype of weights and inputs (f32)")
      ->check(CLI::IsMember({"f32", "f16", "bf16"}));
  app.add_option("--sizes", own->sizes,
                 "kernelbench: the task's own sizes, smaller ones for tests, or both (both)")
      ->check(CLI::IsMember({"both", "own", "reduced"}));
  app.add_option("--solution", own->solutions,
                 "kernelbench: a published kernel that competes, .py with ModelNew or .cu with forward");
  return [request, own] {
    pass_on(*own, *request);
    if (request->to.empty()) request->to = problems_folder();
    return import_tasks(*request) ? Exit::success : Exit::contestant;
  };
}

const Registered registered({.name = "import",
                             .summary = "Make problems of tasks that other suites have",
                             .place = 65,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
