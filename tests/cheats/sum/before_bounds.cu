// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right, and an element in front of the first

// class: out-of-bounds writes
// expect: out of bounds
// Guards are needed on both sides.
#include "honest.hpp"

namespace {
__global__ void spoil(float* y) { y[-1] = 1; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_sum(args, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
