// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Makes shards of a campaign. The same campaign, boards and estimates give the same plan.
#pragma once
#include <string>
#include <vector>

#include "suite/cluster/campaign.hpp"
#include "suite/cluster/estimate.hpp"
#include "suite/cluster/plan.hpp"

namespace podium::cluster {

// Of a job's time limit, what shards are planned for: an estimate may be wrong by a quarter.
inline constexpr double usable_share = 0.8;

// What a partition can run, and what it cannot.
struct Offer {
  const Partition* partition = nullptr;
  std::vector<Candidate> candidates;  // by problem, then in the order of its choices
  std::vector<Cannot> cannot;
};

// A board stays on one device in one shard. One that does not fit into the partition's time limit is split by
// rounds: each shard has whole rounds. Short boards are put together until a shard reaches the target.
Plan make_plan(const Campaign& campaign, const std::vector<Offer>& offers, const Estimates& estimates);

// For the terminal: partitions, shards, what cannot run.
std::string text_of(const Plan& plan);

}  // namespace podium::cluster
