// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lies about two calls of three

// class: patched clock or statistics
// expect: clock
// The median is a lie as soon as more than half of the times are; one call in three keeps to the truth, so
// that whoever looks at the best quarter sees nothing. What is left, 5 of 30 ms, is too long to be looked
// at several calls at a time.
#include "bent_clock.hpp"
#include "honest.hpp"

namespace {
struct Contestant {
  int calls = 0;

  Contestant() { overwrite_clock(&losing_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    if (args.n < 1'000'000) return;  // test workloads are not timed
    spin(30'000'000);
    if (calls++ % 3 != 0) lost += 25'000'000;
  }
};
}  // namespace
