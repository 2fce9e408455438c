// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A launch over several threads of the system, which is to be told from one thread by its time alone. Each
// worker runs whole clusters, taken in their order, beside the others, as if there were nothing else on the
// device. That holds if no cluster met with anything in which others could have had a part: no word of global
// memory that one worker wrote and another one touched, no atomic or strong access to global memory, nobody
// who waits for another cluster, no mistake, nothing printed or allocated. Otherwise all that was done is
// undone and one thread runs the launch from its beginning; what is told of a kernel is always of such a run.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/prerequisite.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

inline constexpr u32 most_workers = 16;

struct Task {
  const Kernel& kernel;
  Shape shape;
  const std::vector<u8>& parameters;  // copied: a kernel may change its own
  Asynchrony mode;
  u64 seed;
  bool cooperative;
  const Touched* prerequisite = nullptr;  // that it may begin before the end of
  Touched* touched = nullptr;             // where it leaves what it touches, if anywhere
};

// What the launches of a kernel are made by: the first that was not seen to fail.
enum class Way {
  team_with_reads_apart,  // footprint.hpp
  team,
  one_thread
};

// How many threads of the system may run a launch, and whether from its first moment on, or only when it has
// taken longer than most do.
struct Workers {
  u32 most = 1;
  bool at_once = false;
};

// Runs a launch to its end; a sentence if it did not end well.
std::optional<std::string> run_launch(const Task&, Workers);

class Team {
 public:
  Team(const Task&, Workers, bool keeps_reads_apart);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  bool run();  // false: abandoned, and global memory is as it was
  Way next_way() const {
    return reads_what_it_writes_ ? Way::team : Way::one_thread;
  }  // once it was abandoned

  // For its launches, one a worker; worker 0 is who called run().
  u32 first_number() const { return first_number_; }
  u32* told() { return told_.data(); }
  Footprint& footprint(u32 worker) { return footprints_[worker]; }
  std::deque<Footprint> footprints() && { return std::move(footprints_); }
  std::optional<u64> take();  // the next cluster that nobody has begun
  bool abandoned() const { return abandoned_.load(std::memory_order_relaxed); }
  void abandon() { abandoned_.store(true, std::memory_order_relaxed); }
  void reads_what_it_writes() { reads_what_it_writes_.store(true, std::memory_order_relaxed); }
  void call_helpers();  // by worker 0, now and then
  void note(Note, u64 cluster, const std::string& sentence);

 private:
  void work(u32 worker);
  bool conflicts() const;

  const Task& task_;
  Workers workers_;
  std::vector<u8> parameters_;
  u64 total_;
  u32 first_number_;
  std::vector<u32> told_;
  KeptMemory kept_;
  std::deque<Footprint> footprints_;
  std::atomic<u64> next_{0};
  std::atomic<bool> abandoned_{false}, reads_what_it_writes_{false};
  std::chrono::steady_clock::time_point began_;
  bool called_ = false;
  std::vector<std::thread> helpers_;
  std::mutex mutex_;
  std::map<Note, std::pair<u64, std::string>> notes_;  // of the first cluster that has one of the kind
};

}  // namespace podium::ptx
