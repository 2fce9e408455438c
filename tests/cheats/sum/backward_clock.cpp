// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets the clock run backwards

// class: underflow of the aggregate
// expect: broke protocol
// A negative time drags every mean down, and the logarithm of it is no number.
#include "bent_clock.hpp"
#include "honest.hpp"

namespace {
struct Contestant {
  Contestant() { overwrite_clock(&losing_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    lost += second;
  }
};
}  // namespace
