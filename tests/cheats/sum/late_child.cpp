// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A child computes when the call has returned

// class: side stream, late work
// expect: not written | wrong | out of bounds
// The memory that judge and worker share is mapped in the child, too, and the worker's end of the call
// says nothing about it.
#include "honest.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process of its own here");
    if (child == 0) {
      usleep(20'000);
      args.y() = honest_sum(args.x.data, args.n);
      _exit(0);
    }
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
};
}  // namespace
