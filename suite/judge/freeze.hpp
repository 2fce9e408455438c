// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stops a worker while the judge writes inputs: on the CPU the arena is in its memory, and a thread that
// watched it would have its answer before the gate opens.
#pragma once
#include "suite/base/stopped_group.hpp"
#include "suite/judge/awake.hpp"

namespace podium::judge {

// Constructed, it tells the group to stop; from wait() to destruction no thread of its leader runs. In
// between the judge does what the worker cannot see.
class Freeze {
 public:
  Freeze(Group& group, Awake& awake) : group_(group), awake_(awake) { group_.tell_to_stop(); }
  void wait();         // throws podium::Error if a thread has not stopped within a second
  void begin_watch();  // some microseconds after wait()
  // Whether no thread of the leader has run since begin_watch(): a timer can send a process that stands still
  // the signal to go on.
  bool stood_still();
  void keep_awake(int processor) { awake_.keep(processor); }  // until let_sleep()
  void let_sleep() { awake_.let_go(); }
  void see_asleep() const { awake_.see_gone(); }
  ~Freeze() {
    awake_.let_go();
    group_.go_on();
  }
  Freeze(const Freeze&) = delete;
  Freeze& operator=(const Freeze&) = delete;

 private:
  Group& group_;
  Awake& awake_;
  std::optional<std::uint64_t> runs_;
  std::chrono::nanoseconds used_{};  // where runs are not counted
};

}  // namespace podium::judge
