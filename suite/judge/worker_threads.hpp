// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The threads of one worker: they stand still before its gate while inputs are written, and after a call
// until its outputs have been copied.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>

#include "suite/base/stopped_group.hpp"
#include "suite/judge/suspension.hpp"

namespace podium::judge {

using clock = std::chrono::steady_clock;
inline double microseconds(clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

// Threads that cannot be brought to stand still are the worker's fault: WorkerFailure.
class WorkerThreads {
 public:
  WorkerThreads(pid_t pid, IdleSpinner& spinner) : group_(pid), spinner_(spinner) {}

  void begin() { moved_ = suspended_ = 0; }  // an instance
  void forget_files() { group_.forget(); }   // workers are many, descriptors few

  // Before the gate, in this order. A worker whose threads sleep within `patience` is left to sleep: that
  // takes less than a stop, and far less to go on from. One that has run in that sleep is told to stop ever
  // after.
  void suspend(std::chrono::microseconds patience);
  void wait_until_still();
  void begin_watch();
  void warm_processor();
  void end_watch();
  void resume() { before_gate_.reset(); }
  bool suspended() const { return before_gate_.has_value(); }
  bool signalled() const {
    return before_gate_ && before_gate_->signalled();
  }  // else its gate has to wake it

  // Whether the judge may poll for an answer, and work beside the call: there is no process but the worker's
  // own, and room for both. As the last suspension found it.
  bool room_beside() const { return room_beside_; }
  void assume_no_room() { room_beside_ = false; }

  // After the call. Returns the end of the interval that the judge times.
  clock::time_point hold() { return hold(needs_signal_); }
  // Looks into the arena while nobody there can change it, and lets the threads go. Where they had to be held
  // again, returns the new end of the judge's interval.
  std::optional<clock::time_point> look_while_held(const std::function<void()>& look);

  void release() { after_call_.reset(); }  // whatever happens

 private:
  clock::time_point hold(bool signal);

  Group group_;
  IdleSpinner& spinner_;
  int moved_ = 0;              // samples of the instance in which threads ran while inputs were written
  int suspended_ = 0;          // samples of the instance before which threads were to stand still
  bool needs_signal_ = false;  // its threads have run in their sleep
  bool room_beside_ = false;
  std::optional<Suspension> before_gate_;
  std::optional<Suspension> after_call_;
};

}  // namespace podium::judge
