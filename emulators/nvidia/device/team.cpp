// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/team.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <map>

#include "emulators/nvidia/device/races.hpp"

namespace podium::ptx {
namespace {

// To make a thread takes 30 to 100 us, and most launches of tests take less than this.
constexpr std::chrono::milliseconds short_launch{1};

// Of each kernel: what was seen not to do is not tried again. The runtime runs one launch at a time, so
// nothing is locked.
Way& way_of(const Kernel& kernel) {
  static auto* const all = new std::map<const Kernel*, Way>;  // libraries unload after statics are gone
  return all->try_emplace(&kernel, Way::team_with_reads_apart).first->second;
}

}  // namespace

Team::Team(const Task& task, Workers workers, bool keeps_reads_apart)
    : task_(task),
      workers_(workers),
      parameters_(task.parameters),
      total_(task.shape.clusters()),
      first_number_(podium::ptx::first_number(task.shape.threads())),
      told_(task.shape.threads()),
      began_(std::chrono::steady_clock::now()) {
  // A thread of a GPU has a stack, which is two mappings; of these the system grants 65,530 by default.
  constexpr u64 most_stacks = 16384;
  const u64 threads = task.shape.cluster_threads();
  workers_.most = static_cast<u32>(
      std::min<u64>({workers.most, most_workers, total_, std::max<u64>(1, most_stacks / threads)}));
  for (u32 i = 0; i < workers_.most; ++i)
    footprints_.emplace_back(kept_, abandoned_, task.kernel.sites, keeps_reads_apart);
}

std::optional<u64> Team::take() {
  const u64 index = next_.fetch_add(1, std::memory_order_relaxed);
  return index < total_ ? std::optional(index) : std::nullopt;
}

void Team::work(u32 worker) try {
  Launch launch(task_.kernel, task_.shape, parameters_.data(), task_.mode, task_.seed, task_.prerequisite,
                nullptr, this, worker);
  if (launch.run()) abandon();
} catch (...) {  // one thread takes less memory; if it is not that, it says what
  abandon();
}

void Team::call_helpers() {
  if (called_) return;
  if (!workers_.at_once && std::chrono::steady_clock::now() - began_ < short_launch) return;
  called_ = true;
  const u64 left = total_ - std::min(total_, next_.load(std::memory_order_relaxed));
  const u32 count = static_cast<u32>(std::min<u64>(workers_.most - 1, left));
  // Signals are for the threads that the program has made.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (u32 i = 0; i < count; ++i) helpers_.emplace_back([this, worker = i + 1] { work(worker); });
  } catch (const std::exception&) {  // no more are to be had: those that are there do it
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Team::note(Note kind, u64 cluster, const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  const auto [found, first] = notes_.try_emplace(kind, cluster, sentence);
  if (!first && cluster < found->second.first) found->second = {cluster, sentence};
}

bool Team::conflicts() const {
  for (std::size_t i = 0; i < footprints_.size(); ++i)
    for (std::size_t k = i + 1; k < footprints_.size(); ++k)
      if (footprints_[i].conflicts_with(footprints_[k])) return true;
  return false;
}

bool Team::run() {
  work(0);
  for (std::thread& helper : helpers_) helper.join();
  for (u32 worker = 1; worker <= helpers_.size(); ++worker) give_cells_back(worker);
  if (abandoned() || conflicts()) {
    kept_.restore();
    return false;
  }
  for (const auto& [kind, note] : notes_) say_once(task_.kernel, kind, note.second);
  return true;
}

std::optional<std::string> run_launch(const Task& task, Workers workers) {
  Way& way = way_of(task.kernel);
  while (workers.most > 1 && !task.cooperative && way != Way::one_thread) {
    if (way == Way::team && task.shape.clusters() == 1) break;  // nothing would be gained
    Team team(task, workers, way == Way::team_with_reads_apart);
    if (team.run()) {
      if (task.touched) task.touched->by = std::move(team).footprints();
      return std::nullopt;
    }
    way = team.next_way();
  }
  std::vector<u8> parameters = task.parameters;
  Footprint* own = nullptr;
  if (task.touched) own = &task.touched->by.emplace_back(task.kernel.sites);
  Launch launch(task.kernel, task.shape, parameters.data(), task.mode, task.seed, task.prerequisite, own);
  if (task.cooperative) launch.run_all_blocks_at_once();
  return launch.run();
}

}  // namespace podium::ptx
