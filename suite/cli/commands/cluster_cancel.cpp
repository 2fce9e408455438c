// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster cancel`: takes a campaign's jobs out of the queue and ends those that run.
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/submit.hpp"

namespace podium::cli {
namespace {

Action declare(CLI::App& app, const Invocation&) {
  const auto campaign = std::make_shared<std::filesystem::path>();
  app.add_option("campaign", *campaign, "The campaign's folder")->required();
  return [campaign] { return cluster::cancel(std::filesystem::absolute(*campaign).lexically_normal()); };
}

const Registered registered({.name = "cancel",
                             .summary = "Take the campaign's shards out of the queue, and end those that run",
                             .parent = "cluster",
                             .place = 50,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
