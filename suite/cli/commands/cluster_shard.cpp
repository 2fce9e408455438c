// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster shard`: one shard, on the node that a job was given. Users rarely type it.
#include <filesystem>
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/attempt.hpp"
#include "suite/cluster/program.hpp"

namespace podium::cli {
namespace {

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<cluster::ShardRequest>();
  app.add_option("campaign", request->campaign, "The campaign's folder")->required();
  app.add_option("shard", request->id, "The shard, as in 0001")->required();
  return [request] {
    request->campaign = std::filesystem::absolute(request->campaign).lexically_normal();
    request->program = cluster::own_program();
    return cluster::attempt_shard(*request);
  };
}

const Registered registered(
    {.name = "shard", .summary = "", .parent = "cluster", .place = 100, .declare = declare});

}  // namespace
}  // namespace podium::cli
