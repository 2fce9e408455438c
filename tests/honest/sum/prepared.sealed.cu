// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, with a prepared table and shared memory
//   values: { blocks: "min(ceil_div(n, 1024), 8 * multiprocessors)", threads: 256 }
//   scratch: { partial: { dtype: f32, shape: [blocks] }, ones: { dtype: f32, shape: [threads] } }
//   define: { THREADS: threads }
//   prepare: [{ kernel: fill, grid: [1], block: [threads], arguments: [ones, f32(1)] }]
//   launches:
//     - { kernel: sums, grid: [blocks], block: [threads], shared: 4 * threads, arguments: [x, ones, partial, i64(n)] }
//     - { kernel: sums, grid: [1], block: [threads], shared: 4 * threads, arguments: [partial, ones, y, i64(blocks)] }

// expect: right
// What `prepare` leaves in scratch memory does not depend on data, so it may be kept: here, ones to multiply
// with.
#include <podium/sum.hpp>

extern "C" __global__ void fill(float* at, float value) { at[threadIdx.x] = value; }

extern "C" __global__ void __launch_bounds__(THREADS)
    sums(const float* x, const float* ones, float* result, std::int64_t n) {
  extern __shared__ float part[];
  float sum = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * THREADS + threadIdx.x; i < n;
       i += std::int64_t(gridDim.x) * THREADS)
    sum += x[i] * ones[threadIdx.x];
  part[threadIdx.x] = sum;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) result[blockIdx.x] = part[0];
}
