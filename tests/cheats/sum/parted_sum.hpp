// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A right sum by many blocks and a last one, whose first part may be started elsewhere. A helper: no
// contestant.
#pragma once
#include <podium/sum.hpp>

namespace {
constexpr int parted_blocks = 64, parted_threads = 256;

__device__ inline void add_part(const float* x, std::int64_t n, volatile double* parts) {
  __shared__ double partial[parted_threads];
  double total = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * parted_threads + threadIdx.x; i < n;
       i += std::int64_t(gridDim.x) * parted_threads)
    total += *static_cast<const volatile float*>(x + i);  // as memory has it now, not as a cache had it
  partial[threadIdx.x] = total;
  for (int half = parted_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = partial[0];
}

__device__ inline void add_parts(const volatile double* parts, float* y) {  // by one thread
  double total = 0;
  for (int block = 0; block < parted_blocks; ++block) total += parts[block];
  *y = float(total);
}

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}
}  // namespace
