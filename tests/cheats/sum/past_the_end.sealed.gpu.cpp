// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, adds up, and writes where the next output might be
//   launches: [{ kernel: sum, grid: [1], block: [256], arguments: [x, y, i64(n)] }]

// class: out-of-bounds writes
// expect: out of bounds
// A launch list names whole tensors only; nothing keeps a kernel from adding to their addresses.
#include <podium/sum.hpp>

extern "C" __global__ void sum(const float* x, float* y, std::int64_t n) {
  __shared__ double part[256];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += 256) total += x[i];
  part[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < 256; ++t) total += part[t];
  y[0] = y[1] = float(total);
}
