// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works in the moment between being woken and the clock

// class: side stream, late work
// expect: clock
// A process that stood still and goes on handles the signal first: there the inputs are known and the
// clock has not started. The 20 ms make the lie visible at any size. Only who was seen
// to run in his sleep is told to stand still, so a thread wakes every millisecond.
#include "bent_clock.hpp"
#include "honest.hpp"

#include <signal.h>

#include <chrono>
#include <thread>

namespace {
void work(int) { spin(20'000'000); }

struct Contestant {
  std::atomic<bool> over{false};
  std::thread restless{[this] {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }};

  Contestant() { signal(SIGCONT, &work); }
  ~Contestant() {
    over = true;
    restless.join();
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
