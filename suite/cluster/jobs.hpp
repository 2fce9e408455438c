// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A campaign's jobs: arrays of shards, one job a shard, and what each job runs.
//   jobs/NAME.sh       the script of an array
//   jobs/NAME.json     its shards and, once sbatch has accepted it, its number
//   jobs/JOB_TASK.log  what Slurm wrote of one of its jobs
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/descriptor.hpp"
#include "suite/cluster/plan.hpp"

namespace podium::cluster {

struct Array {
  std::string name;                 // of the job; no other campaign's and no other array's
  std::string job;                  // its number; empty: sbatch has not answered
  std::string partition;            // in the campaign
  std::vector<std::string> shards;  // by task
  std::string submitted;            // record::utc()
};

std::vector<Array> read_arrays(const std::filesystem::path& campaign);  // oldest first
void write_array(const std::filesystem::path& campaign, const Array& array);
// The name of the campaign's next array.
std::string next_name(const std::filesystem::path& campaign, const Plan& plan,
                      const std::vector<Array>& arrays);

// What sbatch is told, and the script: it prepares the node, runs `podium cluster shard` for its task's
// shard, passes signals on, and has the shard put back into the queue where it ended before its time.
std::vector<std::string> options_of(const Partition& partition, const std::filesystem::path& campaign,
                                    const Array& array);
std::string script_of(const Partition& partition, const std::filesystem::path& campaign, const Array& array,
                      const std::filesystem::path& program);  // `program`: Podium, unless a container has it

// The task that is a shard's newest: "JOB_TASK"; empty: it was never submitted.
std::string newest_task(const std::vector<Array>& arrays, const std::string& shard);

// Keeps other processes on this machine from submitting and cancelling. Throws podium::Error if one does.
class SubmitLock {
 public:
  explicit SubmitLock(const std::filesystem::path& campaign);

 private:
  Descriptor lock_;
};

}  // namespace podium::cluster
