// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Stops the clock

// class: underflow of the aggregate
// expect: clock
// Every call takes 0 µs, and a geometric mean of times becomes 0 with the first of them.
#include "bent_clock.hpp"
#include "honest.hpp"

namespace {
int standing_clock(clockid_t, timespec* time) {
  *time = {1, 0};
  return 0;
}

struct Contestant {
  Contestant() { overwrite_clock(&standing_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    spin(5'000'000);
  }
};
}  // namespace
