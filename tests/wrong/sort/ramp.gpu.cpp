// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: In order, and nothing else

// expect: wrong
// 0, 1, 2 and so on, whatever the input.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block) ramp(float* y, std::int64_t n) {
  if (const std::int64_t i = thread_index(); i < n) y[i] = float(i);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(ramp, blocks_for(args.n), dim3(block), 0, stream, args.y.data, args.n);
  }
};
}  // namespace
