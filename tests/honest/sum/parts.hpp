// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sum in two steps, as kernels: parts by block, and their sum. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

namespace {
constexpr int threads = 256, blocks = 64;

__device__ void add_part(const float* x, std::int64_t n, double* parts) {  // by every thread of a block
  __shared__ double partial[threads];
  double total = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * threads + threadIdx.x; i < n;
       i += std::int64_t(gridDim.x) * threads)
    total += x[i];
  partial[threadIdx.x] = total;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = partial[0];
}

__device__ void add_parts(const double* parts, float* y) {  // by one thread
  double total = 0;
  for (int b = 0; b < blocks; ++b) total += parts[b];
  *y = float(total);
}

__global__ void part_sums(const float* x, std::int64_t n, double* parts) { add_part(x, n, parts); }
__global__ void whole_sum(const double* parts, float* y) { add_parts(parts, y); }
}  // namespace
