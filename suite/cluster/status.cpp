// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iomanip>
#include <map>
#include <sstream>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::array all_places{Where::done,   Where::running, Where::queued,   Where::unsubmitted,
                                Where::failed, Where::lost,    Where::cancelled};

std::chrono::sys_seconds time_of(const std::string& utc) {
  std::tm parts{};
  std::istringstream(utc) >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
  return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts)));
}

bool waits(const Task& task) {
  return task.state == "PENDING" || task.state.starts_with("REQUEUE") || task.state == "SPECIAL_EXIT";
}

// What its own file says, where the queue does not contradict it.
Where written(Standing standing) {
  switch (standing) {
    case Standing::done:
      return Where::done;
    case Standing::failed:
      return Where::failed;
    case Standing::cancelled:
      return Where::cancelled;
    case Standing::running:
      return Where::running;
    case Standing::waiting:
      break;
  }
  return Where::unsubmitted;
}

std::string lost_text(const ShardStatus& shard, const fs::path& campaign) {
  const std::string end = end_of(shard.task);
  const bool began = shard.state.standing == Standing::running;
  return fmt::format("job {}{} {}{}; {}", shard.task, began ? " on " + shard.state.visits.back().node : "",
                     began ? "is gone" : "ended before its shard began", end.empty() ? "" : " (" + end + ")",
                     began ? "its results until then are kept"
                           : fmt::format("see {}", (campaign / "jobs" / (shard.task + ".log")).string()));
}

ShardStatus status_of_one(const fs::path& campaign, const std::string& id, const std::string& task,
                          const std::optional<Tasks>& tasks) {
  ShardStatus shard{.id = id, .task = task};
  try {
    shard.state = read_state(campaign, id);
  } catch (const Error& e) {
    shard.where = Where::failed;
    shard.why = e.what();
    return shard;
  }
  shard.where = written(shard.state.standing);
  shard.why = shard.state.why;
  const bool over = shard.where == Where::done || shard.where == Where::cancelled;
  if (over || task.empty() || !tasks) return shard;
  const auto found = tasks->find(task);
  if (found != tasks->end() && found->second.state == "COMPLETING" && shard.where == Where::failed)
    return shard;
  if (found != tasks->end()) {
    shard.where = waits(found->second) ? Where::queued : Where::running;
    shard.why = shard.where == Where::queued ? found->second.reason : "";
  } else if (shard.where == Where::running ||
             (shard.where == Where::unsubmitted && shard.state.ended.empty())) {
    shard.where = Where::lost;
    shard.why = lost_text(shard, campaign);
  }
  return shard;
}

std::map<Where, int> counts_of(const CampaignStatus& status, const Plan& plan, const std::string& partition) {
  std::map<Where, int> counts;
  for (std::size_t i = 0; i < plan.shards.size(); ++i)
    if (plan.shards[i].partition == partition) ++counts[status.shards[i].where];
  return counts;
}

// A board is done when all of its shards are.
struct BoardCounts {
  int all = 0, done = 0, failed = 0, running = 0;
};

BoardCounts boards_of(const Plan& plan, const CampaignStatus& status) {
  std::map<std::pair<std::string, Board>, std::vector<Where>> boards;
  for (std::size_t i = 0; i < plan.shards.size(); ++i)
    for (const Board& board : plan.shards[i].boards)
      boards[{plan.shards[i].partition, board}].push_back(status.shards[i].where);
  BoardCounts counts;
  for (const auto& [board, places] : boards) {
    const auto any = [&](Where where) { return std::ranges::find(places, where) != places.end(); };
    ++counts.all;
    counts.done += std::ranges::all_of(places, [](Where where) { return where == Where::done; });
    counts.failed += any(Where::failed) || any(Where::lost);
    counts.running += any(Where::running);
  }
  return counts;
}

double left_of(const Shard& shard, const ShardStatus& status, const std::string& now) {
  if (status.where != Where::running || status.state.visits.empty()) return shard.estimate;
  const std::chrono::duration<double> so_far = time_of(now) - time_of(status.state.visits.back().started);
  return std::max(0.0, shard.estimate - so_far.count());
}

std::string end_text(const Plan& plan, const CampaignStatus& status, const std::string& now) {
  const double left = seconds_left(plan, status, now);
  if (left <= 0) return "";
  const auto end = time_of(now) + std::chrono::seconds(static_cast<std::int64_t>(left));
  return fmt::format("expected end: {}, in {}, if as many shards run as now\n", record::utc(end),
                     duration_text(left));
}

}  // namespace

std::string_view name_of(Where where) {
  switch (where) {
    case Where::unsubmitted:
      return "not submitted";
    case Where::queued:
      return "queued";
    case Where::running:
      return "running";
    case Where::done:
      return "done";
    case Where::failed:
      return "failed";
    case Where::lost:
      return "lost";
    case Where::cancelled:
      break;
  }
  return "cancelled";
}

CampaignStatus status_of(const fs::path& campaign, const Plan& plan, const std::vector<Array>& arrays,
                         const std::optional<Tasks>& tasks) {
  CampaignStatus status;
  for (const Shard& shard : plan.shards)
    status.shards.push_back(status_of_one(campaign, shard.id, newest_task(arrays, shard.id), tasks));
  return status;
}

CampaignStatus status_of(const fs::path& campaign, const Plan& plan, const std::vector<Array>& arrays) {
  std::optional<Tasks> tasks;
  std::string silence;
  try {
    std::vector<std::string> names;
    for (const Array& array : arrays) names.push_back(array.name);
    tasks = tasks_of(names);
  } catch (const Error& e) {
    silence = e.what();
  }
  CampaignStatus status = status_of(campaign, plan, arrays, tasks);
  status.silence = silence;
  return status;
}

double seconds_left(const Plan& plan, const CampaignStatus& status, const std::string& now) {
  double longest = 0;
  for (const Partition& partition : plan.partitions) {
    double sum = 0, most = 0;
    int running = 0;
    for (std::size_t i = 0; i < plan.shards.size(); ++i) {
      const Where where = status.shards[i].where;
      if (plan.shards[i].partition != partition.name || (where != Where::running && where != Where::queued))
        continue;
      running += where == Where::running;
      const double left = left_of(plan.shards[i], status.shards[i], now);
      sum += left;
      most = std::max(most, left);
    }
    longest = std::max({longest, most, sum / std::max(running, 1)});
  }
  return longest;
}

std::string table_of(const Plan& plan, const CampaignStatus& status, const std::string& now) {
  const BoardCounts boards = boards_of(plan, status);
  std::string text = fmt::format("{}: {} of {} done, {} running, {} failed\n", plan.campaign, boards.done,
                                 counted(boards.all, "board"), boards.running, boards.failed);
  text += fmt::format("\n{:20}", "shards of partition");
  for (const Where where : all_places) text += fmt::format(" {:>13}", name_of(where));
  for (const Partition& partition : plan.partitions) {
    auto counts = counts_of(status, plan, partition.name);
    text += fmt::format("\n{:20}", partition.name);
    for (const Where where : all_places) text += fmt::format(" {:13}", counts[where]);
  }
  text += "\n\n";
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    const ShardStatus& shard = status.shards[i];
    if (shard.where == Where::done || (shard.where != Where::running && shard.why.empty())) continue;
    text += fmt::format("{} {:9} {}{}{}\n", shard.id, name_of(shard.where), text_of(plan.shards[i].boards),
                        shard.where == Where::running && !shard.state.visits.empty()
                            ? fmt::format(", on {} since {}", shard.state.visits.back().node,
                                          shard.state.visits.back().started)
                            : "",
                        shard.why.empty() ? "" : ": " + shard.why);
  }
  if (!status.silence.empty())
    text += fmt::format("the queue is not known, this is what shards have written: {}\n", status.silence);
  return text + end_text(plan, status, now);
}

nlohmann::json to_json(const Plan& plan, const CampaignStatus& status, const std::string& now) {
  const BoardCounts boards = boards_of(plan, status);
  auto shards = nlohmann::json::array();
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    const ShardStatus& shard = status.shards[i];
    shards.push_back({{"id", shard.id},
                      {"partition", plan.shards[i].partition},
                      {"state", name_of(shard.where)},
                      {"job", shard.task},
                      {"attempts", shard.state.attempts()},
                      {"node", shard.state.visits.empty() ? "" : shard.state.visits.back().node},
                      {"why", shard.why}});
  }
  return {
      {"campaign", plan.campaign},
      {"boards",
       {{"all", boards.all}, {"done", boards.done}, {"running", boards.running}, {"failed", boards.failed}}},
      {"seconds_left", seconds_left(plan, status, now)},
      {"queue", status.silence.empty() ? "known" : status.silence},
      {"shards", std::move(shards)}};
}

}  // namespace podium::cluster
