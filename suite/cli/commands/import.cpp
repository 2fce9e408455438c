// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium import KIND SOURCE`: problem folders of tasks that other suites have.
#include "suite/cli/import.hpp"

#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cli/places.hpp"

namespace podium::cli {
namespace {

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<ImportRequest>();
  app.add_option("kind", request->kind, "Form of the tasks: gpumode, kernelbench or flashinfer-bench")
      ->required()
      ->check(CLI::IsMember(import_kinds()));
  app.add_option("source", request->source, "A task's folder or file, or a folder that has tasks below it")
      ->required();
  app.add_option("--to", request->to, "Folder that gets the problem folders; default: that of all problems");
  app.add_option("--name", request->name, "Name of the problem, if the source is one task");
  app.add_option("--report", request->report, "File for the report as JSON: each task's state, and why");
  return [request] {
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
