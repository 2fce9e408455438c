// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works in the moment between being woken and the clock

// class: side stream, late work
// expect: clock
// A process that stood still and goes on handles the signal first: there the inputs are known and the
// clock has not started. The 20 ms make the lie visible at any size.
#include "bent_clock.hpp"
#include "honest.hpp"

#include <signal.h>

namespace {
void work(int) { spin(20'000'000); }

struct Contestant {
  Contestant() { signal(SIGCONT, &work); }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
