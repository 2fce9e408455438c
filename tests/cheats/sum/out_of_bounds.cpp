// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right, and one element more than there is

// class: out-of-bounds writes
// expect: out of bounds
// What lies behind an output might be what the checker needs.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    volatile float* y = args.y.data;
    y[0] = honest_sum(args.x.data, args.n);
    y[1] = 1;
  }
};
}  // namespace
