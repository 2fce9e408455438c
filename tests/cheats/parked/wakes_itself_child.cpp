// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a child wake in others' turns, and write over what they compute

// class: sabotage
// expect: right
// with: --rounds 3
// The child has the shared memory mapped as well, and a timer; and its end sends its parent the signal that
// clone() was told: SIGCONT.
#include "twice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
struct Contestant {
  bool started = false;

  void run(const problem::Arguments& args, podium::Stream) {
    note_call(args);
    twice(args);
    if (started) return;
    started = true;
    signal(SIGCONT, [](int) { spoil(); });
    for (int child = 0; child < 8; ++child)
      if (syscall(SYS_clone, SIGCONT, nullptr, nullptr, nullptr, nullptr) == 0) {
        sigevent wake{};
        wake.sigev_notify = SIGEV_SIGNAL;
        wake.sigev_signo = SIGCONT;
        const itimerspec every{{0, 200'000'000}, {0, 3'000'000}};
        timer_t timer{};
        if (timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0) timer_settime(timer, 0, &every, nullptr);
        for (int wakes = 0; wakes < 100 * (child + 1); ++wakes) pause();
        _exit(0);
      }
  }
};
}  // namespace
