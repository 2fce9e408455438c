// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A process group that can be made to stand still, and to go on: a worker while inputs are written, or
// between its turns. Or that does so by itself, which can be seen.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>
#include <vector>

#include "suite/base/descriptor.hpp"

namespace podium {

struct Task {
  pid_t process = -1, thread = -1;
};
// Threads of a process and of all that descends from it, each once, also those that have ended and that
// nobody has reaped. None that its descendants leave behind, unless these come to it: PR_SET_CHILD_SUBREAPER.
std::vector<Task> tasks_of(pid_t leader);

class Group {
 public:
  Group() = default;
  explicit Group(pid_t leader) : leader_(leader) {}

  void tell_to_stop() const;
  // Told to stop, waits until no thread of the leader runs any more, nor of any process that descends from
  // it: what its descendants leave behind must come to the leader (PR_SET_CHILD_SUBREAPER). False, and the
  // group goes on, once it has used `patience` of processor time instead, or after ten times as long: others
  // may have the processors. A leader that has ended stands still.
  bool stopped(std::chrono::milliseconds patience);
  void go_on() const;
  // Told nothing: whether each of these threads falls asleep by itself within `patience`; at least one look.
  // Never where the kernel does not count runs.
  bool asleep(std::chrono::microseconds patience);

  void forget();  // descriptors that were kept for the next stop

  // Whether no thread runs at this moment, of the leader and the descendants that the last stop found; one
  // that sleeps could be woken, and counts as one that runs.
  bool at_rest() { return at_rest(stopped_states); }

  // What the last stop, or asleep(), found: the leader's threads, 0 once it has ended; whether no process
  // descends from it; where its first thread ran last, -1 if that is not known.
  std::size_t threads() const { return seen_; }
  bool alone() const { return children_.empty(); }
  int processor() const { return processor_; }

  // How often threads of the same have begun to run, which costs less to ask than the time below, and is
  // never counted late. Nothing where the kernel does not count, or one of them has ended.
  std::optional<std::uint64_t> runs() const;
  // The same, before the look by which the last stop or asleep() found all of them still: who has run since
  // has begun to, and is counted.
  std::optional<std::uint64_t> runs_when_still() const { return runs_when_still_; }
  // Processor time of the same; of a process that has ended, none.
  std::chrono::nanoseconds processor_time() const;

 private:
  // A thread's files, kept open, since looks are many.
  struct Thread {
    Descriptor stat, schedstat, children;
  };
  // Of proc(5): letters.
  static constexpr std::string_view stopped_states = "TtZXx", sleeping_states = "STtZXx";
  bool look_at_all(std::string_view states);
  std::size_t threads_now() const;
  bool threads_at_rest(std::string_view states);
  bool at_rest(std::string_view states);
  bool find_children();
  bool still(std::string_view states);

  pid_t leader_ = -1;
  mutable std::optional<clockid_t> clock_;  // of its processor time
  Descriptor tasks_;                        // /proc/PID/task
  std::vector<Thread> threads_;
  std::size_t seen_ = 0;  // threads at the last look, of which as many as there may be are kept
  int processor_ = -1;
  std::optional<std::uint64_t> runs_when_still_;
  std::vector<Group> children_;
};

}  // namespace podium
