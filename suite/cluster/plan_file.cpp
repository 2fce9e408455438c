// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// plan.json, written and read.
#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cluster/json_file.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/record/fields.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

nlohmann::json to_json(const Shard& shard) {
  auto boards = nlohmann::json::array();
  for (const Board& board : shard.boards)
    boards.push_back({{"problem", board.problem}, {"types", board.types}});
  return {{"id", shard.id},
          {"partition", shard.partition},
          {"backend", shard.backend},
          {"boards", std::move(boards)},
          {"contestants", shard.contestants},
          {"first_round", shard.first_round},
          {"rounds", shard.rounds},
          {"arguments", shard.arguments},
          {"estimate_s", shard.estimate},
          {"estimate_from", shard.estimate_from}};
}

Shard shard_from(const record::Fields& fields) {
  for (const char* key : {"id", "partition", "backend", "boards", "rounds", "arguments"}) fields.need(key);
  Shard shard;
  fields.read("id", shard.id);
  fields.read("partition", shard.partition);
  fields.read("backend", shard.backend);
  for (const record::Fields& one : fields.list("boards")) {
    Board& board = shard.boards.emplace_back();
    one.need("problem");
    one.read("problem", board.problem);
    one.read("types", board.types);
  }
  fields.read("contestants", shard.contestants);
  fields.read("first_round", shard.first_round);
  fields.read("rounds", shard.rounds);
  fields.read("arguments", shard.arguments);
  fields.read("estimate_s", shard.estimate);
  fields.read("estimate_from", shard.estimate_from);
  return shard;
}

void refuse_stranger(const fs::path& file, const Plan& plan, const Shard& shard) {
  std::vector<std::string> names;
  for (const Partition& partition : plan.partitions) names.push_back(partition.name);
  if (std::ranges::find(names, shard.partition) == names.end())
    throw Error(fmt::format("{}: shard {}: partition: {}; plan the campaign again", file.string(), shard.id,
                            found_one_of(shard.partition, names)));
}

}  // namespace

std::string text_of(const Board& board) {
  return board.types.empty() ? board.problem : board.problem + "/" + board.types;
}

std::string text_of(const std::vector<Board>& boards) {
  std::string text;
  for (const Board& board : boards) text += (text.empty() ? "" : ", ") + text_of(board);
  return text;
}

const Partition& partition_of(const Plan& plan, const Shard& shard) {
  return *std::ranges::find(plan.partitions, shard.partition, &Partition::name);
}

const Shard& shard_named(const Plan& plan, const std::string& id) {
  const auto found = std::ranges::find(plan.shards, id, &Shard::id);
  if (found != plan.shards.end()) return *found;
  throw Error(plan.shards.empty()
                  ? fmt::format("shard: found \"{}\", but the plan of {} has none", id, plan.campaign)
                  : fmt::format("shard: found \"{}\", expected one of {} to {}", id, plan.shards.front().id,
                                plan.shards.back().id));
}

fs::path shard_folder(const fs::path& campaign, const std::string& id) { return campaign / "shards" / id; }

Plan read_plan(const fs::path& campaign) {
  const fs::path file = campaign / "plan.json";
  const auto json =
      read_json(file, "expected a campaign's folder, as `podium cluster plan FILE.yaml` leaves it");
  const record::Fields fields(json, file.string());
  fields.need("podium_plan");
  int version = 0;
  fields.read("podium_plan", version);
  if (version != plan_version)
    throw Error(
        fmt::format("{}: podium_plan: found {}, expected {}; use the Podium that planned the campaign, or "
                    "plan it again",
                    file.string(), version, plan_version));
  for (const char* key : {"campaign", "partitions", "shards"}) fields.need(key);
  Plan plan;
  fields.read("campaign", plan.campaign);
  fields.read("rounds", plan.rounds);
  if (const auto* common = fields.find("common")) {
    const record::Fields of(*common, file.string() + ": common");
    of.read("problem", plan.common.problem);
    of.read("types", plan.common.types);
    of.read("contestant", plan.common.contestant);
  }
  const record::Fields partitions(*fields.find("partitions"), file.string() + ": partitions");
  for (const auto& [name, partition] : fields.find("partitions")->items())
    plan.partitions.push_back(
        partition_from(partition, name, fmt::format("{}: partitions.{}", file.string(), name)));
  for (const record::Fields& shard : fields.list("shards")) {
    plan.shards.push_back(shard_from(shard));
    refuse_stranger(file, plan, plan.shards.back());
  }
  for (const record::Fields& one : fields.list("cannot")) {
    Cannot& cannot = plan.cannot.emplace_back();
    one.read("problem", cannot.problem);
    one.read("types", cannot.types);
    one.read("partition", cannot.partition);
    one.read("why", cannot.why);
  }
  return plan;
}

void write_plan(const fs::path& campaign, const Plan& plan) {
  auto partitions = nlohmann::json::object(), shards = nlohmann::json::array(),
       cannot = nlohmann::json::array();
  for (const Partition& partition : plan.partitions) partitions[partition.name] = to_json(partition);
  for (const Shard& shard : plan.shards) shards.push_back(to_json(shard));
  for (const Cannot& one : plan.cannot)
    cannot.push_back(
        {{"problem", one.problem}, {"types", one.types}, {"partition", one.partition}, {"why", one.why}});
  write_json(campaign / "plan.json", {{"podium_plan", plan_version},
                                      {"campaign", plan.campaign},
                                      {"rounds", plan.rounds},
                                      {"common",
                                       {{"problem", plan.common.problem},
                                        {"types", plan.common.types},
                                        {"contestant", plan.common.contestant}}},
                                      {"partitions", std::move(partitions)},
                                      {"shards", std::move(shards)},
                                      {"cannot", std::move(cannot)}});
}

}  // namespace podium::cluster
