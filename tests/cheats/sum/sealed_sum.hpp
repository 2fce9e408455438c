// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right sum of one block of 256 threads, for sealed cheats. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

// By every thread; in thread 0 it is the sum, true there alone.
inline __device__ bool block_sum(const float* x, std::int64_t n, float& sum) {
  __shared__ double part[256];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += 256) total += x[i];
  part[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return false;
  for (int t = 1; t < 256; ++t) total += part[t];
  sum = float(total);
  return true;
}
