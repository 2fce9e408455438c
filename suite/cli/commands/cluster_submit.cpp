// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster submit`: what a campaign still lacks, as arrays of jobs.
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/program.hpp"
#include "suite/cluster/submit.hpp"

namespace podium::cli {
namespace {

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<cluster::SubmitRequest>();
  app.add_option("campaign", request->campaign, "The campaign's folder")->required();
  app.add_flag("--failed", request->failed, "Also the shards that have failed");
  return [request] {
    request->campaign = std::filesystem::absolute(request->campaign).lexically_normal();
    request->program = cluster::own_program();
    return cluster::submit(*request);
  };
}

const Registered registered(
    {.name = "submit",
     .summary = "Submit the shards that are not done and not in the queue, with sbatch",
     .parent = "cluster",
     .place = 20,
     .declare = declare});

}  // namespace
}  // namespace podium::cli
