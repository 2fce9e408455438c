// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The system calls that a worker and all it starts are refused.
#pragma once
#include <linux/filter.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace podium::sandbox {

// A seccomp filter. What it refuses fails with EPERM; clone3, whose flags no filter can see, with ENOSYS,
// upon which C libraries use clone. Made before a fork, since making one allocates.
class CallFilter {
 public:
  // `only_itself`: the worker may signal no other process; where neither another user id nor Landlock sees to
  // that. `loopback`: it may open sockets of the Internet's families and ask for its interfaces, of which a
  // network namespace leaves it one. Throws podium::Error.
  explicit CallFilter(bool only_itself, bool loopback = false);

  // In the child, `self`: from now on, for it and its descendants. Needs "no new privileges". Allocates
  // nothing. False, errno set, if the kernel refuses the filter.
  bool install(pid_t self);

  // One refused call with the reason.
  struct Rule {
    const char* call;
    const char* reason;
  };
  static const std::vector<Rule>& rules();

 private:
  std::vector<sock_filter> program_;
};

}  // namespace podium::sandbox
