// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right, and an element in front of the first

// class: out-of-bounds writes
// expect: out of bounds
// Guards are needed on both sides.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    volatile float* y = args.y.data;
    y[0] = honest_sum(args.x.data, args.n);
    y[-1] = 1;
  }
};
}  // namespace
