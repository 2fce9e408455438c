// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Block sums, then one block
//   author: Podium
//   values: { blocks: "min(ceil_div(n, 4096), 1024)" }
//   scratch: { partial: { dtype: f32, shape: [blocks] } }
//   launches:
//     - { kernel: block_sums, grid: [blocks], block: [256], arguments: [x, partial, i64(n)] }
//     - { kernel: block_sums, grid: [1], block: [256], arguments: [partial, y, i64(blocks)] }

// Two launches of one kernel: each block adds up what is its own in steps of the whole grid, and the one
// block of the second launch adds up what the blocks of the first left behind.
#include <podium/sum.hpp>

namespace {
constexpr int block = 256;
}

extern "C" __global__ void __launch_bounds__(block) block_sums(const float* x, float* sums, std::int64_t n) {
  constexpr int lanes = 4;
  __shared__ float of_warp[block / 32];
  const std::int64_t step = std::int64_t(gridDim.x) * block;
  float part[lanes] = {};  // additions that do not wait for one another
  std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  for (; i + (lanes - 1) * step < n; i += lanes * step)
    for (int k = 0; k < lanes; ++k) part[k] += x[i + k * step];
  for (; i < n; i += step) part[0] += x[i];
  float sum = (part[0] + part[1]) + (part[2] + part[3]);
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_xor_sync(podium::all_lanes, sum, d);
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0;
  for (int w = 0; w < block / warpSize; ++w) sum += of_warp[w];
  sums[blockIdx.x] = sum;
}
