// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The plan of a campaign: its shards, each one run of `podium run` on one device. A campaign's folder:
//   campaign.yaml   a copy of the campaign's file
//   plan.json       this plan
//   shards/ID/      state.json, run/ (a run's folder), log
//   nodes/          a record of each device that took part
//   results/        what `podium cluster collect` merged
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/cluster/campaign.hpp"

namespace podium::cluster {

inline constexpr int plan_version = 1;

struct Board {
  std::string problem, types;
  auto operator<=>(const Board&) const = default;
};
std::string text_of(const Board& board);                // "softmax/f16"
std::string text_of(const std::vector<Board>& boards);  // "softmax/f16, softmax/bf16"

// Boards whose contestants are together on one device.
struct Shard {
  std::string id;  // "0001"
  std::string partition, backend;
  std::vector<Board> boards;
  std::vector<std::string> contestants;  // empty: all
  int first_round = 0, rounds = 0;       // of the boards' rounds over all shards
  std::vector<std::string> arguments;    // of podium: "run", "sum", ...
  double estimate = 0;                   // seconds
  std::string estimate_from;             // name of an earlier run, or "default"
};

struct Cannot {
  std::string problem, types, partition;  // `types` empty: all of the problem
  std::string why;
};

struct Plan {
  std::string campaign;
  Common common;
  int rounds = 0;  // of each board over all its shards
  std::vector<Partition> partitions;
  std::vector<Shard> shards;
  std::vector<Cannot> cannot;
};

const Partition& partition_of(const Plan& plan, const Shard& shard);
// Throws podium::Error with the nearest one if there is none.
const Shard& shard_named(const Plan& plan, const std::string& id);

std::filesystem::path shard_folder(const std::filesystem::path& campaign, const std::string& id);

// Throws podium::Error: the folder's plan.json, the key, what was found and expected, and what to do.
Plan read_plan(const std::filesystem::path& campaign);
void write_plan(const std::filesystem::path& campaign, const Plan& plan);

}  // namespace podium::cluster
