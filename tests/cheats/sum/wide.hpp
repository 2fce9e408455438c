// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A right sum on the whole device that waits for memory and for little else: a call that finds its input in
// the cache is plainly shorter, so who keeps it there would be seen to gain. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

#include <algorithm>

namespace {
constexpr int wide_threads = 256;
constexpr int wide_loads = 4;                    // of 16 bytes, in flight for each thread
constexpr std::int64_t wide_most_blocks = 1024;  // nearly what an H200 holds at once

__device__ inline float wide_block_sum(float v) {
  __shared__ float of_warp[wide_threads / 32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (const float each : of_warp) v += each;
  return v;
}

// The block that finishes last adds up what all of them left, in their order: the same result each time.
__global__ void __launch_bounds__(wide_threads)
    wide_kernel(const float* x, float* y, std::int64_t n, float* partial, unsigned* finished) {
  const auto packets = reinterpret_cast<const float4*>(x);
  const std::int64_t whole = n / 4, step = std::int64_t(gridDim.x) * wide_threads;
  const std::int64_t first = std::int64_t(blockIdx.x) * wide_threads + threadIdx.x;
  float total = first < n % 4 ? x[4 * whole + first] : 0;
  std::int64_t i = first;
  for (; i + (wide_loads - 1) * step < whole; i += wide_loads * step) {
    float4 p[wide_loads];
#pragma unroll
    for (int k = 0; k < wide_loads; ++k) p[k] = packets[i + k * step];
#pragma unroll
    for (int k = 0; k < wide_loads; ++k) total += (p[k].x + p[k].y) + (p[k].z + p[k].w);
  }
  for (; i < whole; i += step) total += (packets[i].x + packets[i].y) + (packets[i].z + packets[i].w);

  __shared__ bool last;
  total = wide_block_sum(total);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;  // and zero again, for the next call
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  total = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += wide_threads) total += __ldcg(partial + b);
  total = wide_block_sum(total);
  if (threadIdx.x == 0) *y = total;
}

class WideSum {
 public:
  explicit WideSum(podium::Workspace& workspace)
      : partial_(workspace.device<float>(wide_most_blocks)), finished_(workspace.device<unsigned>(1)) {}

  void operator()(const problem::Arguments& args, podium::Stream stream) const {
    const std::int64_t blocks = args.n / (4 * wide_loads * wide_threads);
    podium::launch(wide_kernel, dim3(unsigned(std::clamp(blocks, std::int64_t(1), wide_most_blocks))),
                   dim3(wide_threads), 0, stream, args.x.data, args.y.data, args.n, partial_, finished_);
  }

 private:
  float* partial_;
  unsigned* finished_;
};
}  // namespace
