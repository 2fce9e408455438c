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
  // Told to stop, waits until no thread of the leader runs any more; the other processes of the group have
  // been told, too. False after `patience`, and the group goes on. A leader that has ended stands still.
  bool stopped(std::chrono::milliseconds patience);
  void go_on() const;

  void forget();  // descriptors that were kept for the next stop

  bool at_rest();  // whether no thread of the leader runs at this moment

  // Processor time of the leader's threads; 0 once it has ended.
  std::chrono::nanoseconds processor_time() const;

 private:
  bool look_at_all();
  std::size_t threads() const;

  pid_t leader_ = -1;
  Descriptor tasks_;                // /proc/PID/task
  std::vector<Descriptor> states_;  // of each thread there: its `stat`, kept open, since looks are many
};

}  // namespace podium
