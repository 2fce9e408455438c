// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs, and lets a timer wake it

// class: inputs before their turn
// expect: wrong | broke protocol | hung
// A process that was told to stand still goes on when it gets SIGCONT, and a timer of its own can send it
// that while the judge works. Then its thread runs while the inputs are written, adds them up, and the
// call only hands the sum over. Where others take the processors, nobody may ever find it standing still: it
// hangs.
#include <signal.h>
#include <time.h>

#include "watching.hpp"

namespace {
struct Contestant {
  Watcher watcher;
  bool started = false;
  timer_t timer{};

  explicit Contestant(const problem::Workload& w) : watcher(w) {}
  ~Contestant() {
    if (started) timer_delete(timer);
  }

  void run(const problem::Arguments& args, podium::Stream) {
    if (!watcher.answer(args)) return;
    signal(SIGCONT, [](int) {});  // the timer of an ignored signal rests
    sigevent wake{};
    wake.sigev_notify = SIGEV_SIGNAL;
    wake.sigev_signo = SIGCONT;
    const itimerspec every{{0, 15'000'000}, {0, 15'000'000}};
    started = timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0;
    if (started) timer_settime(timer, 0, &every, nullptr);
  }
};
}  // namespace
