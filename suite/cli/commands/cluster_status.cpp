// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster status`: where a campaign stands.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/status.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::filesystem::path campaign;
  std::string format = "table";
};

Exit show(const Request& request) {
  const auto campaign = std::filesystem::absolute(request.campaign).lexically_normal();
  const cluster::Plan plan = cluster::read_plan(campaign);
  const auto status = cluster::status_of(campaign, plan, cluster::read_arrays(campaign));
  const auto now = record::utc(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
  if (request.format == "json")
    fmt::print("{}\n", cluster::to_json(plan, status, now).dump(2));
  else
    fmt::print("{}", cluster::table_of(plan, status, now));
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("campaign", request->campaign, "The campaign's folder")->required();
  app.add_option("--format", request->format, "Format of the output: table or json")
      ->check(CLI::IsMember({"table", "json"}));
  return [request] { return show(*request); };
}

const Registered registered({.name = "status",
                             .summary = "Show the boards and shards that are done, run, wait and have failed",
                             .parent = "cluster",
                             .place = 30,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
