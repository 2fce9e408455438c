// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster collect`: the runs of a campaign's shards as one set of results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "suite/base/counted.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/job.hpp"
#include "suite/cli/places.hpp"
#include "suite/cluster/collect.hpp"
#include "suite/cluster/sick.hpp"
#include "suite/cluster/staging.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

// "12 shards: 9 done, 2 running, 1 failed"
std::string standings_of(const cluster::Collection& collection, std::size_t shards) {
  std::vector<std::string> parts;
  for (const auto& [standing, count] : collection.shards)
    parts.push_back(fmt::format("{} {}", count, cluster::name_of(standing)));
  return fmt::format("{}: {}", counted(shards, "shard"), fmt::join(parts, ", "));
}

std::string spreads_of(const cluster::Health& health) {
  std::string text;
  for (const cluster::TypeSpread& one : health.types)
    text += fmt::format("  {}, {}: {} differ by {:.2f} %{}\n", one.type, cluster::name_of(one.measure),
                        counted(one.devices, "device"), one.percent,
                        std::isinf(one.detectable_percent)
                            ? "; too few to tell whether one is sick"
                            : fmt::format("; one is named if it is {:.1f} % slower than their median",
                                          one.detectable_percent));
  return text;
}

std::string sick_of(const cluster::Plan& plan, const cluster::Health& health) {
  std::string text;
  for (const cluster::SickDevice& sick : health.sick) {
    text += fmt::format("  {}\n", sick.evidence());
    for (const cluster::Shard& shard : plan.shards)
      if (std::ranges::find(sick.shards, shard.id) != sick.shards.end())
        text +=
            fmt::format("    repeat elsewhere: shard {} ({})\n", shard.id, cluster::text_of(shard.boards));
  }
  return text;
}

Exit collect(const fs::path& campaign) {
  const cluster::Plan plan = cluster::read_plan(campaign);
  const cluster::NodeRecords nodes = cluster::read_nodes(campaign);
  const cluster::Health health = cluster::health_of(nodes.nodes);
  cluster::Sick sick;
  for (const cluster::SickDevice& one : health.sick) sick[{one.node, one.device}] = one.evidence();
  const cluster::Collection collection = cluster::collect(campaign, plan, sick);
  cluster::bring_calibrations(campaign);
  const std::string results = relative_to_here(campaign / "results");
  fmt::print("{}: {}; {} in {}\n", plan.campaign, standings_of(collection, plan.shards.size()),
             counted(collection.runs.size(), "run"), results);
  for (const std::string& note : collection.notes) fmt::print("  {}\n", note);
  if (!collection.missing.empty()) fmt::print("\nmissing:\n");
  for (const cluster::Missing& one : collection.missing) fmt::print("  {}: {}\n", one.shard, one.why);
  if (!health.types.empty()) fmt::print("\ndevices:\n{}", spreads_of(health));
  if (!health.sick.empty()) fmt::print("\nsick devices, and what they measured:\n{}", sick_of(plan, health));
  if (!collection.runs.empty())
    fmt::print("\nnext:\n  {0} report {1}\n  {0} publish {1} --to public\n", own_command(), results);
  std::vector<std::string> faults = collection.unreadable;
  faults.insert(faults.end(), nodes.unreadable.begin(), nodes.unreadable.end());
  return report_faults(faults);
}

Action declare(CLI::App& app, const Invocation&) {
  const auto campaign = std::make_shared<fs::path>();
  app.add_option("campaign", *campaign, "The campaign's folder")->required();
  return [campaign] { return collect(*campaign); };
}

const Registered registered({.name = "collect",
                             .summary = "Merge what shards have measured, and say what is missing",
                             .parent = "cluster",
                             .place = 50,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
