// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right on test workloads alone

// class: hard-coded constants, only one distribution
// expect: wrong
// Test workloads are small and known. On anything larger it reads half of the input.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const bool timed = args.n > 200'000;
    args.y() = timed ? 2 * honest_sum(args.x.data, args.n / 2) : honest_sum(args.x.data, args.n);
  }
};
}  // namespace
