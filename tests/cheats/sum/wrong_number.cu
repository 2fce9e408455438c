// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Twice the sum

// class: wrong numbers
// expect: wrong
// The plainest of all: the answer is not the answer.
#include "honest.hpp"

namespace {
__global__ void spoil(float* y) { *y = 2 * *y + 1; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_sum(args, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
