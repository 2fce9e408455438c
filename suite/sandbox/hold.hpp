// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A process that no signal wakes but SIGKILL, until podium lets it go: ptrace(2). A stop by SIGSTOP ends with
// SIGCONT, which a process can have sent to itself, by a timer, a descriptor or a child's end.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace podium::sandbox {

class Hold {
 public:
  // Every thread of `leader`, a child of podium's, and of all that descends from it. Those that run are
  // stopped. Nothing where the kernel refuses, or if one has not stopped within `patience`; then all are
  // ended. To be made, let go and destroyed by one thread. It ends with podium, and what it holds too.
  static std::optional<Hold> of(pid_t leader, std::chrono::milliseconds patience);
  // They go on, or remain stopped if they were told to: what was held back of signals is delivered.
  void let_go();
  ~Hold();  // ends what it holds; `leader` remains to be reaped
  Hold(Hold&& other) noexcept : leader_(other.leader_), held_(std::exchange(other.held_, {})) {}
  Hold& operator=(Hold&& other) noexcept {
    std::swap(leader_, other.leader_);
    std::swap(held_, other.held_);
    return *this;
  }

 private:
  class Watch;
  struct Held {
    pid_t process, thread;
    int signal;  // that it was about to get when it was stopped; 0: none
  };
  explicit Hold(pid_t leader) : leader_(leader) {}
  enum class Seized { held, ended, refused };
  Seized seize(pid_t process, pid_t thread, std::chrono::steady_clock::time_point end);
  void reap() const;

  pid_t leader_ = -1;
  std::vector<Held> held_;
};

}  // namespace podium::sandbox
