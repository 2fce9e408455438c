// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A copy of the input

// expect: wrong
// The right elements, in the wrong order.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block) copy(const float* x, float* y, std::int64_t n) {
  if (const std::int64_t i = thread_index(); i < n) y[i] = x[i];
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(copy, blocks_for(args.n), dim3(block), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
