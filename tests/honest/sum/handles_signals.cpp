// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Handles signals, and has a timer of its own

// expect: right
// A profiler or a garbage collector does that: a handler runs now and then.
#include <podium/sum.hpp>

#include <signal.h>
#include <time.h>

#include <atomic>

namespace {
std::atomic<int> ticks{0};

struct Contestant {
  timer_t timer{};

  Contestant() {
    signal(SIGUSR1, [](int) { ++ticks; });
    sigevent tick{};
    tick.sigev_notify = SIGEV_SIGNAL;
    tick.sigev_signo = SIGUSR1;
    const itimerspec every{{0, 10'000'000}, {0, 10'000'000}};
    podium::require(timer_create(CLOCK_MONOTONIC, &tick, &timer) == 0, "no timer here");
    timer_settime(timer, 0, &every, nullptr);
  }
  ~Contestant() { timer_delete(timer); }
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
  }
};
}  // namespace
