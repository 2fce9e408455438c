// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker that stands still while the judge writes inputs: on the CPU the arena is in its memory, and a
// thread that watched it would have its answer before the gate opens.
#pragma once
#include <chrono>
#include <optional>

#include "suite/base/stopped_group.hpp"
#include "suite/judge/idle_spinner.hpp"

namespace podium::judge {

// From wait() to destruction no thread of the group's leader runs, nor of what descends from it. In between
// the judge does what the worker cannot see.
class Suspension {
 public:
  // Threads that fall asleep by themselves within `patience` are left to sleep, others told to stop; at once
  // where there is none.
  Suspension(Group& group, IdleSpinner& spinner, std::optional<std::chrono::microseconds> patience = {});
  void wait();  // throws podium::Error if a thread has not stopped within a second
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
