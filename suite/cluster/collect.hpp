// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Merges the runs of a campaign's shards into results/<device>/<run> of its folder. Shards of the same boards
// become one run if their devices, drivers, compilers and sources are alike: each shard is a segment of it,
// and their rounds pool. Entries are streamed: memory holds what identifies them, not their samples.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/cluster/node.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/cluster/state.hpp"

namespace podium::cluster {

struct Missing {
  std::string shard;
  Standing standing = Standing::waiting;
  std::string why;  // "is waiting", "failed on n2: ...", "3 of 7 rounds of softmax/f16"
};

struct Collection {
  std::vector<std::filesystem::path> runs;  // that results/ holds now, sorted
  std::map<Standing, int> shards;           // how many stand where
  std::vector<Missing> missing;             // in the plan's order
  std::vector<std::string> notes;           // why rounds were not pooled, or an earlier run was kept
  std::vector<std::string> unreadable;      // a sentence each
};

// Sentences on devices that are held to be sick, by node and device.
using Sick = std::map<std::pair<std::string, std::string>, std::string>;

// May run while shards still run, and again: what was collected of a shard is replaced by no less. Throws
// podium::Error: the folder's plan cannot be read, results/ cannot be written.
Collection collect(const std::filesystem::path& campaign, const Plan& plan, const Sick& sick);

}  // namespace podium::cluster
