// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The workers of one judge. One is on turn, or a group of as many as the board has ranks; those that had
// their turn are parked until the next one, but for groups, which end with it.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "suite/contest/failure.hpp"
#include "suite/contest/judge_link.hpp"
#include "suite/contest/parking.hpp"
#include "suite/contest/processes.hpp"
#include "suite/contest/worker_watch.hpp"

namespace podium::contest {

class WorkerPool {
 public:
  // `judge`, `device` and `starts` outlive it. The judge has opened `device` before the first worker starts.
  // `starts`: gets the seconds of wall time that starts and ends of workers take.
  WorkerPool(JudgeLink& judge, const protocol::Opened& device, Executables executables, Limits limits,
             double& starts);

  // Workers that start from now on find that folder empty, where the machine grants mounts of their own.
  void hide(const std::filesystem::path& folder) { limits_.hidden = folder; }
  void set_ranks(int ranks) { ranks_ = ranks; }  // of the board, before its first worker starts
  // Resumes the worker that was parked under `key`, or starts one; an empty key: none was parked. It replaces
  // the one on turn. An empty path is the trusted empty contestant: timed, never verified.
  std::optional<Failure> start(const std::filesystem::path& plugin, const std::string& key = {});
  // Starts a worker with the plugin and the key of the one on turn, in its place.
  std::optional<Failure> restart();
  // Ends the worker and all it started. A failure: what a tool that it ran under found.
  std::optional<Failure> release();
  // The worker on turn, whose instance has ended, stands still until it is started again under its key. Those
  // parked longest are ended where memory gets short: Parked in limits. One without a key is released.
  void park();
  std::size_t parked() const { return parking_.size(); }
  // Whether there are any that may do something to whoever is on turn: a GPU runs on what a process that
  // stands still has left there, and where nothing holds a process it can wake itself.
  bool parked_may_act() const;
  void end_parked();
  void end_all();

  // Remembers how much of the device's memory others hold. There is no worker.
  void note_memory_of_others();
  enum class Bound { held, renewed };  // renewed: the worker was ended, and a new one started
  // Whether the worker on turn holds no more of the device's memory than it may.
  std::variant<Bound, Failure> bound_device_memory();

  // The time limit of a request in which the worker on turn takes part: `share` is the contestant's, beside
  // the judge's own work on each call.
  std::chrono::milliseconds allow(std::chrono::seconds share, int calls = 1);
  void set_judges_time(std::chrono::milliseconds of_a_call) { judges_time_ = of_a_call; }
  // While podium waits for an answer.
  JudgeLink::Supervision supervision();

  // Of the worker on turn: why the judge refused a request that it took part in.
  Failure failure(const protocol::Refused& refused);
  std::optional<Failure> outcome(const protocol::Packet& packet);
  int number() const { return worker_.number; }
  pid_t pid() const { return worker_.child.pid(); }
  std::string printed_last() const { return last_words(worker_.output.get()); }

 private:
  struct Peer {  // a rank but the first
    WorkerProcess process;
    WorkerWatch watch;
  };
  std::optional<Failure> launch(const std::filesystem::path& plugin, const std::string& key);
  std::optional<Failure> launch(int rank, WorkerProcess process);
  WorkerProcess& process_of(int rank);
  WorkerWatch& watch_of(int rank);
  void end_peers() { peers_.clear(); }  // and all they started
  Failure why(const protocol::Refused& refused, int rank);
  int free_number() const;
  void bound_parked();
  void end_oldest();
  void dismiss(int number);
  protocol::MemoryIs device_memory();
  std::int64_t held_on_device();  // bytes, by the worker on turn

  JudgeLink& judge_;
  const protocol::Opened& device_;
  Executables executables_;
  Limits limits_;
  double& starts_;
  int ranks_ = 1;
  WorkerProcess worker_;  // on turn, the first rank of a group
  WorkerWatch watch_;
  std::vector<std::unique_ptr<Peer>> peers_;  // the further ranks
  Parking parking_;
  std::int64_t others_ = 0;  // bytes of device memory that others held when the board had no worker
  std::chrono::milliseconds judges_time_{0};
  std::chrono::seconds share_{0};              // the worker's, of the time of the request that it is in
  std::set<std::filesystem::path> suspected_;  // plugins of which one process held too much of the device
  std::set<std::filesystem::path> woke_;       // plugins of which a process ran while it was parked
};

}  // namespace podium::contest
