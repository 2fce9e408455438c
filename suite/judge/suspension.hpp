// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker that stands still while the judge writes inputs: on the CPU the arena is in its memory, and a
// thread that watched it would have its answer before the gate opens.
//
// A processor that has slept takes tens of microseconds to go on, for which no contestant is to blame. So the
// one on which a stopped worker will go on is kept awake until the last moment, by a thread that makes room
// for whatever else has work.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "suite/base/stopped_group.hpp"

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

// From wait() to destruction no thread of the group's leader runs, nor of what descends from it. In between
// the judge does what the worker cannot see.
class Suspension {
 public:
  // Threads that fall asleep by themselves within `patience` are left to sleep, others told to stop; at once
  // where there is none.
  Suspension(Group& group, IdleSpinner& spinner, std::optional<std::chrono::microseconds> patience = {});
  void wait();  // throws podium::Error if a thread has not stopped, as Group::stopped says
  // Some microseconds after wait(). Tells those to stop that have slept, and do not. Throws as it does.
  void begin_watch();
  // Whether no thread of the leader has run since begin_watch(): a timer can wake a process that sleeps, and
  // send one that stands still the signal to go on.
  bool stood_still();
  bool signalled() const { return signalled_; }  // to stop; else it sleeps, and has to be woken
  void spin_on(int processor) { spinner_.spin_on(processor); }  // until stop_spinning()
  void stop_spinning() { spinner_.stop_spinning(); }
  void wait_until_off() const { spinner_.wait_until_off(); }
  ~Suspension() {
    spinner_.stop_spinning();
    if (signalled_) group_.go_on();
  }
  Suspension(const Suspension&) = delete;
  Suspension& operator=(const Suspension&) = delete;

 private:
  void signal();

  Group& group_;
  IdleSpinner& spinner_;
  bool signalled_ = false;
  std::chrono::nanoseconds used_{};  // where runs are not counted
};

}  // namespace podium::judge
