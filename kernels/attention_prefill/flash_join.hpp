// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From sums over the keys of a row, or over parts of them, to its result. Scores are to base 2.
#pragma once
#include "flash_plan.hpp"

namespace attention::flash {

__device__ inline float power_of_two(float x) {
#if defined(PODIUM_ON_CUDA)
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
#else
  return exp2f(x);
#endif
}

// Adds the sink; writes the lse if told to; returns what the sums are multiplied by.
__device__ inline float finish(const problem::Arguments& a, std::int64_t row, std::int64_t head, State state,
                               bool writes) {
  float scale = 1;
  if (has_sinks(a)) {
    const float own = sink(a, head) * log2_e, higher = fmaxf(state.peak, own);
    scale = power_of_two(state.peak - higher);
    state = {higher, state.total * scale + power_of_two(own - higher)};
  }
  if (writes) put_lse(a, row, head, state.peak / log2_e, state.total);
  return state.total > 0 ? scale * value_scale(a) / state.total : 0;
}

// One block a row and head that has parts; groups of threads share them.
constexpr int join_block = 256, join_width = 4;
template <int head_dim>
__global__ void __launch_bounds__(join_block) join(problem::Arguments a, Plan plan) {
  constexpr int columns = head_dim / join_width, teams = join_block / columns;
  __shared__ State states[most_parts];
  __shared__ float sums[teams][head_dim];
  const std::int64_t row = blockIdx.x / a.heads, head = blockIdx.x % a.heads;
  const int count = plan.counts[row], team = int(threadIdx.x) / columns,
            d = int(threadIdx.x) % columns * join_width;
  if (count < 2) return;
  const std::int64_t place = plan.place(row, a.heads, head, 0);
  for (int p = int(threadIdx.x); p < count; p += join_block) states[p] = plan.states[place + p];
  __syncthreads();
  State joined{-INFINITY, 0};
  for (int p = 0; p < count; ++p) joined.peak = fmaxf(joined.peak, states[p].peak);
  const float base = joined.peak == -INFINITY ? 0.0f : joined.peak;
  for (int p = 0; p < count; ++p) joined.total += power_of_two(states[p].peak - base) * states[p].total;
  float sum[join_width] = {};
#pragma unroll 4
  for (int p = team; p < count; p += teams) {
    const float scale = power_of_two(states[p].peak - base);
    const float4 part = *reinterpret_cast<const float4*>(plan.sums + (place + p) * head_dim + d);
    sum[0] += scale * part.x;
    sum[1] += scale * part.y;
    sum[2] += scale * part.z;
    sum[3] += scale * part.w;
  }
#pragma unroll
  for (int n = 0; n < join_width; ++n) sums[team][d + n] = sum[n];
  const float factor = finish(a, row, head, joined, threadIdx.x == 0);
  __syncthreads();
  for (int e = int(threadIdx.x); e < head_dim; e += join_block) {
    float all = 0;
    for (int t = 0; t < teams; ++t) all += sums[t][e];
    result(a, row, head)[e] = podium::cast<real>(all * factor);
  }
}

}  // namespace attention::flash
