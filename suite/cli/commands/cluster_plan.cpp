// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster plan`: a campaign's file as shards, before anything is submitted.
#include <fmt/format.h>

#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/plan.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::filesystem::path file, to;
  bool commands = false;
};

Exit plan(const Request& request) {
  cluster::load_campaign(request.file);
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("campaign", request->file, "The campaign's file; docs/campaigns.md describes it")
      ->required();
  app.add_option("--to", request->to,
                 "The campaign's folder; default: beside the file, with the campaign's name");
  app.add_flag("--commands", request->commands,
               "Print the shards as commands, one a line, for Flux, PBS, LSF or a shell");
  return [request] { return plan(*request); };
}

const Registered registered(
    {.name = "plan",
     .summary = "Show the shards of a campaign, how long they take, and what cannot run",
     .parent = "cluster",
     .place = 10,
     .declare = declare});

}  // namespace
}  // namespace podium::cli
