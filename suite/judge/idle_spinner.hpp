// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A processor that has slept takes tens of microseconds to go on, for which no contestant is to blame. So the
// one on which a stopped worker will go on is kept awake until the last moment, by a thread that makes room
// for whatever else has work; and where processors are plenty, the judge stays awake beside a worker.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace podium::judge {

class IdleSpinner {
 public:
  explicit IdleSpinner(int processors) : processors_(processors) {}  // that there are for all
  virtual ~IdleSpinner();
  IdleSpinner(const IdleSpinner&) = delete;
  IdleSpinner& operator=(const IdleSpinner&) = delete;

  // With the first of them the thread begins.
  void spin_on(int processor);  // until stop_spinning(), from soon after; none (-1): nothing happens
  void stop_spinning();
  // Let go, returns when the thread is off the processor, unless others keep it from leaving: behind a
  // contestant's it would count as one that waits.
  void wait_until_off() const;

  // Whether the judge may work and look, with one thread beside its own, while a worker of so many threads
  // works, the first of which ran on `processor`: half of the processors are enough for all, and the judge is
  // not on the other half of that one's core.
  virtual bool can_poll_beside(std::size_t threads, int processor);

 private:
  void serve();

  static constexpr int nobody = -1, leave = -2;
  std::atomic<int> wanted_ = nobody;  // a processor
  std::atomic<bool> at_work_ = false;
  std::chrono::steady_clock::time_point told_;  // to go
  std::thread thread_;
  const int processors_;
  std::map<int, std::vector<std::pair<int, int>>> siblings_;  // of a core: first and last of each range
};

}  // namespace podium::judge
