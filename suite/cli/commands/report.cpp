// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium report`: the tables of finished runs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/record/record.hpp"
#include "suite/report/render.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::vector<std::filesystem::path> runs;
  std::string format = "table";
  std::filesystem::path out;
  bool publish = false;  // writes the run's tables as README.md beside its folder, results/<device>/README.md
};

Exit report(const Request& request) {
  for (const auto& folder : request.runs) {
    const auto run = record::read(folder);
    if (request.publish) {
      report::publish(run, std::filesystem::canonical(folder).parent_path());
      continue;
    }
    if (!request.out.empty())
      report::write(run, request.out);
    else
      fmt::print("{}", report::render(run, request.format));
  }
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("run", request->runs, "Folders of runs: results/<device>/<run>")->required();
  app.add_option("--format", request->format, "table, md, json or csv")
      ->check(CLI::IsMember({"table", "md", "json", "csv"}));
  app.add_option("--out", request->out, "Folder for report.md instead of the terminal");
  app.add_flag("--publish", request->publish, "Write the run's tables to README.md beside its folder");
  return [request] { return report(*request); };
}

const Registered registered(
    {.name = "report", .summary = "Tables of finished runs", .place = 100, .declare = declare});

}  // namespace
}  // namespace podium::cli
