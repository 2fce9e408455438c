// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/submit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/cluster/jobs.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/cluster/slurm.hpp"
#include "suite/cluster/state.hpp"
#include "suite/cluster/status.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

std::string utc_now() {
  return record::utc(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

// Arrays that sbatch may have accepted although podium was ended before it could note that: those that Slurm
// has are noted now, the others never came to be.
void adopt(const fs::path& campaign, std::vector<Array>& arrays) {
  for (Array& array : arrays) {
    if (!array.job.empty()) continue;
    const Tasks tasks = tasks_of({array.name});
    if (tasks.empty()) continue;
    const std::string& task = tasks.begin()->first;
    array.job = task.substr(0, task.find('_'));
    write_array(campaign, array);
  }
}

bool is_wanted(const ShardStatus& shard, bool failed) {
  switch (shard.where) {
    case Where::unsubmitted:
    case Where::lost:
    case Where::cancelled:
      return true;
    case Where::failed:
      return failed;
    case Where::queued:
    case Where::running:
    case Where::done:
      break;
  }
  return false;
}

// A cancelled or failed shard waits again.
void reopen(const fs::path& campaign, const std::string& id) {
  State state = read_state(campaign, id);
  if (state.standing == Standing::waiting) return;
  state.standing = Standing::waiting;
  state.ended.clear();
  state.why.clear();
  write_state(campaign, id, state);
}

void submit_array(const SubmitRequest& request, const Partition& partition, Array& array) {
  for (const std::string& id : array.shards) reopen(request.campaign, id);
  const fs::path script = request.campaign / "jobs" / (array.name + ".sh");
  array.submitted = utc_now();
  write_array(request.campaign, array);
  record::write_file(script, script_of(partition, request.campaign, array, request.program));
  try {
    array.job = submit_job(options_of(partition, request.campaign, array), script.string());
  } catch (const Error&) {
    fs::remove(request.campaign / "jobs" / (array.name + ".json"));
    throw;
  }
  write_array(request.campaign, array);
}

}  // namespace

Exit submit(const SubmitRequest& request) {
  const fs::path& campaign = request.campaign;
  const Plan plan = read_plan(campaign);
  const SubmitLock lock(campaign);
  std::vector<Array> arrays = read_arrays(campaign);
  adopt(campaign, arrays);
  const CampaignStatus status = status_of(campaign, plan, arrays);
  if (!status.silence.empty()) throw Error(status.silence);
  const auto most = static_cast<std::size_t>(largest_array());
  std::map<std::string, std::vector<std::string>> wanted;
  for (std::size_t i = 0; i < plan.shards.size(); ++i)
    if (is_wanted(status.shards[i], request.failed))
      wanted[plan.shards[i].partition].push_back(plan.shards[i].id);
  Exit result = Exit::success;
  for (const Partition& partition : plan.partitions) {
    const auto& shards = wanted[partition.name];
    for (std::size_t first = 0; first < shards.size(); first += most) {
      Array array{
          .name = next_name(campaign, plan, arrays), .job = "", .partition = partition.name, .shards = {}};
      for (std::size_t i = first; i < std::min(shards.size(), first + most); ++i)
        array.shards.push_back(shards[i]);
      try {
        submit_array(request, partition, array);
        arrays.push_back(array);
        fmt::print("{}: {} submitted as job {}\n", partition.name, counted(array.shards.size(), "shard"),
                   array.job);
      } catch (const Error& e) {
        fmt::print(stderr, "podium: partition {}: {} not submitted: {}\n", partition.name,
                   counted(array.shards.size(), "shard"), e.what());
        result = Exit::usage;
        break;
      }
    }
  }
  if (std::ranges::all_of(wanted, [](const auto& one) { return one.second.empty(); }))
    fmt::print("nothing to submit: every shard is done, in the queue, or has failed\n");
  return result;
}

Exit cancel(const fs::path& campaign) {
  const Plan plan = read_plan(campaign);
  const SubmitLock lock(campaign);
  std::vector<Array> arrays = read_arrays(campaign);
  adopt(campaign, arrays);
  const CampaignStatus status = status_of(campaign, plan, arrays);
  if (!status.silence.empty()) throw Error(status.silence);
  std::set<std::string> jobs;
  std::size_t cancelled = 0;
  // Marked first: a shard that is told to end leaves it so.
  for (const ShardStatus& shard : status.shards) {
    const bool live = shard.where == Where::queued || shard.where == Where::running;
    if (live) jobs.insert(shard.task);
    if (!live && shard.where != Where::unsubmitted && shard.where != Where::lost) continue;
    State state = shard.state;
    state.standing = Standing::cancelled;
    state.ended = utc_now();
    write_state(campaign, shard.id, state);
    ++cancelled;
  }
  cancel_jobs({jobs.begin(), jobs.end()});
  fmt::print("{} cancelled; `podium cluster submit {}` goes on with them\n", counted(cancelled, "shard"),
             campaign.string());
  return Exit::success;
}

}  // namespace podium::cluster
