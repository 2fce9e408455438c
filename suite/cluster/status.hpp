// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a campaign stands: what its shards have written, held against the scheduler's queue.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suite/cluster/jobs.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/cluster/slurm.hpp"
#include "suite/cluster/state.hpp"

namespace podium::cluster {

enum class Where {
  unsubmitted,  // no job has it
  queued,       // its job waits
  running,
  done,
  failed,
  lost,  // it was begun or submitted, and its job is gone
  cancelled,
};
std::string_view name_of(Where where);

struct ShardStatus {
  std::string id;
  Where where = Where::unsubmitted;
  std::string task;  // "JOB_TASK"; empty: it has none
  std::string why;   // one sentence: why it waits, failed, is lost
  State state;
};

struct CampaignStatus {
  std::vector<ShardStatus> shards;  // as in the plan
  std::string silence;              // why the queue is not known; empty: it is
};

CampaignStatus status_of(const std::filesystem::path& campaign, const Plan& plan,
                         const std::vector<Array>& arrays);
// The same of a queue that is known; none: it is not.
CampaignStatus status_of(const std::filesystem::path& campaign, const Plan& plan,
                         const std::vector<Array>& arrays, const std::optional<Tasks>& tasks);

// Seconds until all shards that are queued or run have ended, by their estimates, if as many of a partition
// run at a time as now. `now`: record::utc().
double seconds_left(const Plan& plan, const CampaignStatus& status, const std::string& now);

std::string table_of(const Plan& plan, const CampaignStatus& status, const std::string& now);
nlohmann::json to_json(const Plan& plan, const CampaignStatus& status, const std::string& now);

}  // namespace podium::cluster
