// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a timer wake it in others' turns, and writes over what they compute

// class: sabotage
// expect: right
// with: --rounds 3
// A stop by SIGSTOP ends with SIGCONT, which a timer of its own can send. Held by ptrace it does not wake, and
// others keep their rows.
#include "twice.hpp"

namespace {
struct Contestant {
  bool started = false;

  void run(const problem::Arguments& args, podium::Stream) {
    note_call(args);
    twice(args);
    if (started) return;
    started = true;
    signal(SIGCONT, [](int) { spoil(); });
    sigevent wake{};
    wake.sigev_notify = SIGEV_SIGNAL;
    wake.sigev_signo = SIGCONT;
    const itimerspec every{{0, 3'000'000}, {0, 3'000'000}};
    timer_t timer{};
    if (timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0) timer_settime(timer, 0, &every, nullptr);
  }
};
}  // namespace
