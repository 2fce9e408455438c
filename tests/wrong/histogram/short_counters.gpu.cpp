// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Counters of 16 bits

// expect: wrong
// Half the memory, and right as long as no bin has 65536 keys.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block) shorten(int* y, std::int64_t bins) {
  if (const std::int64_t b = thread_index(); b < bins) y[b] = std::uint16_t(y[b]);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.n, stream);
    podium::launch(shorten, blocks_for(args.bins), dim3(block), 0, stream, args.y.data, args.bins);
  }
};
}  // namespace
