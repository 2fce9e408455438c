// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, adds up once and keeps the sum in a variable of its code
//   launches: [{ kernel: sum, grid: [1], block: [1024], arguments: [x, y, i64(n)] }]

// class: replay
// expect: wrong
// Without host code there is still memory that outlives a call. Its answer was right for the call before.
#include <podium/sum.hpp>

__device__ float kept;
__device__ bool known;

extern "C" __global__ void sum(const float* x, float* y, std::int64_t n) {
  __shared__ float part[1024];
  if (known) {
    if (threadIdx.x == 0) *y = kept;
    return;
  }
  float sum = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += 1024) sum += x[i];
  part[threadIdx.x] = sum;
  for (int half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x != 0) return;
  *y = kept = part[0];
  known = true;
}
