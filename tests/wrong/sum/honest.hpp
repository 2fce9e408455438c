// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, for contestants that spoil it. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

namespace {
using real = float;
constexpr int block = 256;

inline __device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }
inline dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

__global__ void __launch_bounds__(block) sum(const float* x, float* y, std::int64_t n) {  // one block
  __shared__ double partial[block];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += block) total += x[i];
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < block; ++t) total += partial[t];
  *y = float(total);
}

inline void honest(const problem::Arguments& args, float* y, podium::Stream stream) {
  podium::launch(sum, dim3(1), dim3(block), 0, stream, args.x.data, y, args.n);
}
}  // namespace
