// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Twice the sum

// class: wrong numbers
// expect: wrong
// The plainest of all: the answer is not the answer.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = 2 * honest_sum(args.x.data, args.n) + 1;
  }
};
}  // namespace
