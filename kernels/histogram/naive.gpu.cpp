// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread a key, one table for all
//   author: Podium

// Each key adds one to its bin. Several threads may meet at a bin, so the addition has to be atomic, and they
// wait for each other: how long this takes depends on how equal the keys are. What y holds before the call is
// nothing to build on, so it is cleared first.
#include <podium/histogram.hpp>

namespace {
using problem::key;
constexpr int block = 256;

__global__ void __launch_bounds__(block) clear(int* y, std::int64_t bins) {
  const std::int64_t b = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (b < bins) y[b] = 0;
}

__global__ void __launch_bounds__(block) count(const key* x, std::int64_t n, int* y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) atomicAdd(&y[x[i]], 1);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = [](std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); };
    podium::launch(clear, blocks(args.bins), dim3(block), 0, stream, args.y.data, args.bins);
    if (args.n == 0) return;
    podium::launch(count, blocks(args.n), dim3(block), 0, stream, args.x.data, args.n, args.y.data);
  }
};
}  // namespace
