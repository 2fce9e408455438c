// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, for contestants that spoil it. A helper: no contestant.
#pragma once
#include <podium/sort.hpp>

namespace {
using real = float;
constexpr int block = 256;

inline __device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }
inline dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

// Every element counts those that go before it. Quadratic: for small n only.
__global__ void __launch_bounds__(block) sort(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  std::int64_t place = 0;
  for (std::int64_t j = 0; j < n; ++j) place += x[j] < x[i] || (x[j] == x[i] && j < i);
  y[place] = x[i];
}

inline void honest(const problem::Arguments& args, float* y, podium::Stream stream) {
  podium::launch(sort, blocks_for(args.n), dim3(block), 0, stream, args.x.data, y, args.n);
}
}  // namespace
