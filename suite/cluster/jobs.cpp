// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ranges>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/cluster/attempt.hpp"
#include "suite/cluster/json_file.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

constexpr double minute = 60;  // seconds
// From the warning until the time limit: a call, which may take half a minute, ends, and results are copied.
constexpr double longest_notice = 180, notice_share = 0.25;
constexpr int cpus_of_gpu = 4;  // podium, the judge, the worker, and one for the kernel

fs::path jobs_folder(const fs::path& campaign) { return campaign / "jobs"; }

bool states(const Partition& partition, std::string_view option) {
  return std::ranges::any_of(partition.sbatch,
                             [&](const std::string& one) { return one.starts_with(option); });
}

// In a double-quoted word of bash, variables are replaced.
std::string in_double_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '`' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// The words by which the node starts Podium, in bash.
std::string podium_words(const Partition& partition, const fs::path& campaign, const fs::path& program) {
  std::vector<std::string> mounts{campaign.string()};
  if (!partition.shared_cache.empty()) mounts.push_back(partition.shared_cache);
  if (!partition.scratch.empty()) mounts.push_back(partition.scratch);
  std::string words;
  if (!partition.apptainer.empty()) {
    // Each lets the devices of one vendor in, where there are any.
    words = backend_named(partition.backend).gpu ? "apptainer exec --nv --rocm" : "apptainer exec";
    for (const std::string& mount : mounts) words += " --bind " + in_double_quotes(mount);
    return words + " " + record::quoted(partition.apptainer) + " podium";
  }
  if (!partition.pyxis.empty()) {
    std::string list;
    for (const std::string& mount : mounts)
      list += fmt::format("{}{}:{}", list.empty() ? "" : ",", mount, mount);
    return fmt::format("srun --ntasks=1 --container-image={} --container-mounts={} podium",
                       record::quoted(partition.pyxis), in_double_quotes(list));
  }
  return record::quoted(program.string());
}

}  // namespace

std::vector<Array> read_arrays(const fs::path& campaign) {
  std::vector<Array> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(jobs_folder(campaign), none)) {
    if (entry.path().extension() != ".json") continue;
    const auto json = read_json(entry.path(), "remove it, cancel its job by hand, and submit again");
    const record::Fields fields(json, entry.path().string());
    Array& array = all.emplace_back();
    for (const char* key : {"name", "partition", "shards"}) fields.need(key);
    fields.read("name", array.name);
    fields.read("job", array.job);
    fields.read("partition", array.partition);
    fields.read("shards", array.shards);
    fields.read("submitted", array.submitted);
  }
  std::ranges::sort(all, {}, &Array::name);
  return all;
}

void write_array(const fs::path& campaign, const Array& array) {
  write_json(jobs_folder(campaign) / (array.name + ".json"), {{"name", array.name},
                                                              {"job", array.job},
                                                              {"partition", array.partition},
                                                              {"shards", array.shards},
                                                              {"submitted", array.submitted}});
}

std::string next_name(const fs::path& campaign, const Plan& plan, const std::vector<Array>& arrays) {
  constexpr std::size_t digits = 6;
  const std::string stem = fmt::format("podium-{}-{}-", plan.campaign,
                                       record::sha256(fs::canonical(campaign).string()).substr(0, digits));
  int last = 0;
  for (const Array& array : arrays) {
    if (!array.name.starts_with(stem)) continue;
    int number = 0;
    std::from_chars(array.name.data() + stem.size(), array.name.data() + array.name.size(), number);
    last = std::max(last, number);
  }
  return fmt::format("{}{:04}", stem, last + 1);
}

std::vector<std::string> options_of(const Partition& partition, const fs::path& campaign,
                                    const Array& array) {
  const bool gpu = backend_named(partition.backend).gpu;
  const double notice = std::min(longest_notice, partition.time_limit * notice_share);
  std::vector<std::string> options{
      "--job-name=" + array.name,
      "--partition=" + partition.partition,
      fmt::format("--array=0-{}", array.shards.size() - 1),
      "--nodes=1",
      "--ntasks=1",
      fmt::format("--time={}", std::max(1L, std::lround(std::ceil(partition.time_limit / minute)))),
      "--requeue",
      fmt::format("--signal=B:USR1@{:.0f}", notice),
      "--open-mode=append",
      fmt::format("--output={}", (jobs_folder(campaign) / "%A_%a.log").string()),
  };
  if (gpu || !partition.gres.empty())
    options.push_back("--gres=" + (partition.gres.empty() ? "gpu:1" : partition.gres));
  // Whoever measures processors has all of them.
  if (!gpu && !states(partition, "--exclusive")) options.emplace_back("--exclusive");
  if (gpu && !states(partition, "--cpus-per") && !states(partition, "--exclusive"))
    options.push_back(fmt::format("--cpus-per-task={}", cpus_of_gpu));
  if (!partition.constraint.empty()) options.push_back("--constraint=" + partition.constraint);
  if (!partition.account.empty()) options.push_back("--account=" + partition.account);
  if (!partition.qos.empty()) options.push_back("--qos=" + partition.qos);
  options.insert(options.end(), partition.sbatch.begin(), partition.sbatch.end());
  return options;
}

std::string script_of(const Partition& partition, const fs::path& campaign, const Array& array,
                      const fs::path& program) {
  std::string text = fmt::format(
      "#!/bin/bash{}\n"
      "# The shards of {}, one a task. `podium cluster submit` wrote it.\n"
      "set -e\n",
      partition.modules.empty() ? "" : " -l", array.name);
  for (const std::string& module : partition.modules) text += fmt::format("module load {}\n", module);
  for (const std::string& line : partition.setup) text += line + "\n";
  text += fmt::format(
      "set +e\n"
      "shards=({})\n"
      "shard=\n"
      "trap '[ -z \"$shard\" ] || kill -USR1 $shard' USR1 # the time limit is near\n"
      "trap '[ -z \"$shard\" ] || kill -TERM $shard' TERM # preempted or cancelled\n"
      "{} cluster shard {} \"${{shards[SLURM_ARRAY_TASK_ID]}}\" &\n"
      "shard=$!\n"
      "while wait $shard; status=$?; [ $status -gt 128 ] && kill -0 $shard 2>/dev/null; do :; done\n"
      "wait $shard 2>/dev/null # where a signal's trap ended the wait before\n"
      "last=$?\n"
      "[ $last = 127 ] || status=$last\n"
      "[ $status != {} ] || scontrol requeue \"$SLURM_JOB_ID\"\n"
      "exit $status\n",
      fmt::join(array.shards, " "), podium_words(partition, campaign, program),
      record::quoted(campaign.string()), static_cast<int>(put_back));
  return text;
}

std::string newest_task(const std::vector<Array>& arrays, const std::string& shard) {
  for (const Array& array : std::views::reverse(arrays))
    if (const auto at = std::ranges::find(array.shards, shard);
        at != array.shards.end() && !array.job.empty())
      return fmt::format("{}_{}", array.job, at - array.shards.begin());
  return "";
}

SubmitLock::SubmitLock(const fs::path& campaign) {
  const fs::path file = jobs_folder(campaign) / "lock";
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  lock_.reset(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(fmt::format("{}: another podium submits or cancels this campaign; wait until it has ended",
                            campaign.string()));
}

}  // namespace podium::cluster
