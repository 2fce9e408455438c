// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A process group that can be made to stand still, and to go on: a worker while inputs are written, or
// between its turns.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <vector>

#include "suite/base/descriptor.hpp"

namespace podium {

class Group {
 public:
  Group() = default;
  explicit Group(pid_t leader) : leader_(leader) {}

  void tell_to_stop() const;
  // Told to stop, waits until no thread of the leader runs any more, nor of any process that descends from
  // it: what its descendants leave behind must come to the leader (PR_SET_CHILD_SUBREAPER). False after
  // `patience`, and the group goes on. A leader that has ended stands still.
  bool stopped(std::chrono::milliseconds patience);
  void go_on() const;

  void forget();  // descriptors that were kept for the next stop

  // Whether no thread runs at this moment, of the leader and the descendants that the last stop found.
  bool at_rest();

  // Processor time of the same; of a process that has ended, none.
  std::chrono::nanoseconds processor_time() const;

 private:
  // A thread's files, kept open, since looks are many.
  struct Thread {
    Descriptor stat, children;
  };
  bool look_at_all();
  bool threads_at_rest();
  bool find_children();
  std::size_t threads() const;

  pid_t leader_ = -1;
  Descriptor tasks_;  // /proc/PID/task
  std::vector<Thread> threads_;
  std::vector<Group> children_;
};

}  // namespace podium
