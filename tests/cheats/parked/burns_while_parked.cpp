// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a timer wake it in others' turns, and burns the processor that they need

// class: sabotage
// expect: right
// with: --rounds 3
// On two processors it took 45 to 65 % of one while others were measured.
#include "twice.hpp"

namespace {
struct Contestant {
  bool started = false;

  void run(const problem::Arguments& args, podium::Stream) {
    note_call(args);
    twice(args);
    if (started) return;
    started = true;
    signal(SIGCONT, [](int) {
      constexpr std::int64_t others_turn = 100;  // milliseconds without a call
      while (milliseconds_now() - last_call > others_turn) {
      }
    });
    sigevent wake{};
    wake.sigev_notify = SIGEV_SIGNAL;
    wake.sigev_signo = SIGCONT;
    const itimerspec every{{0, 3'000'000}, {0, 3'000'000}};
    timer_t timer{};
    if (timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0) timer_settime(timer, 0, &every, nullptr);
  }
};
}  // namespace
