// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the products of queries and keys to results: scores, their online softmax in a warp's registers, and
// the joining of sums over parts of a row's keys. Weights are powers of two.
#pragma once
#include "flash_tile.hpp"

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

// view.hpp's score() with an approximate tanh x = 1 - 2 / (1 + e^2x).
template <class A>
__device__ float changed(const A& a, int head, int i, int j, float scaled) {
  if (const float cap = soft_cap(a); cap > 0)
    scaled = cap * (1 - __fdividef(2.0f, 1 + power_of_two(scaled * (2 * log2_e / cap))));
  if (has_alibi(a)) scaled += slope(a, head) * float(j - i);
  return scaled;
}

// Whether a score is more than its product times a positive factor.
template <class A>
__device__ bool changes(const A& a) {
  if (score_scale(a) <= 0) return true;  // the largest product has not the largest score
  return soft_cap(a) > 0 || has_alibi(a);
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

// Of a warp's rows: their states, and sums of weighted values.
template <class S>
struct Softmax {
  static constexpr int columns = S::head_dim / matrix::side, key_tiles = S::own_keys / matrix::side;
  static constexpr int slots = matrix::rows_held;

  float peak[S::row_tiles][slots], total[S::row_tiles][slots];
  matrix::Sums out[S::row_tiles][columns];
  float factor;  // from a score to base 2

  __device__ explicit Softmax(float f) : factor(f) {
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m) {
#pragma unroll
      for (int s = 0; s < slots; ++s) peak[m][s] = -INFINITY, total[m][s] = 0;
#pragma unroll
      for (int c = 0; c < columns; ++c) out[m][c] = {};
    }
  }

  // From scores to weights.
  __device__ void weigh(matrix::Sums (&score)[S::row_tiles][key_tiles]) {
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
      for (int s = 0; s < slots; ++s) {
        float higher = peak[m][s];
        each_of_row(score[m], s, [&](float& x) { higher = fmaxf(higher, x); });
        higher = matrix::across_row(higher, [](float x, float y) { return fmaxf(x, y); });
        const float base = higher == -INFINITY ? 0.0f : higher * factor;
        const float scale = power_of_two(peak[m][s] * factor - base);
        peak[m][s] = higher;
        total[m][s] *= scale;
        each_of_row(out[m], s, [&](float& x) { x *= scale; });
        each_of_row(score[m], s, [&](float& x) {
          x = power_of_two(x * factor - base);
          total[m][s] += x;
        });
      }
  }

  template <int count, class Body>
  static __device__ void each_of_row(matrix::Sums (&tiles)[count], int s, Body body) {
#pragma unroll
    for (int c = 0; c < count; ++c)
#pragma unroll
      for (int n = 0; n < matrix::held; ++n)
        if (matrix::row_slot(n) == s) body(tiles[c].at[n]);
  }

  __device__ State state(int m, int s) const {
    return {peak[m][s] * factor, matrix::across_row(total[m][s], [](float x, float y) { return x + y; })};
  }
};

// The rows of one warp, from its registers: whole ones by way of shared memory, in 16 bytes.
template <class S>
__device__ void put_rows(const Block<S>& block, Softmax<S>& softmax, real* tile, int first_row) {
  const problem::Arguments& a = block.a;
  const int lane = int(threadIdx.x) % matrix::lanes;
#pragma unroll
  for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
      const State state = softmax.state(m, s);
      const bool exists = block.exists(row), writes = exists && matrix::column(lane, 0) == 0;
      const std::int64_t r = block.row_of(exists ? row : 0), h = block.head_of(exists ? row : 0);
      float* sums = nullptr;
      float scale = 0;
      if (block.item.part == whole) {
        scale = finish(a, r, h, state, writes);
      } else {
        const std::int64_t place = block.plan.place(r, a.heads, h, block.item.part);
        if (writes) block.plan.states[place] = state;
        sums = block.plan.sums + place * S::head_dim;
      }
#pragma unroll
      for (int c = 0; c < S::head_dim / matrix::side; ++c)
#pragma unroll
        for (int n = 0; n < matrix::held; ++n) {
          if (matrix::row_slot(n) != s) continue;
          const int d = c * matrix::side + matrix::column(lane, n);
          if (sums == nullptr)
            chunk<S::head_dim>(tile, row, d)[d % chunk_width] =
                podium::cast<real>(softmax.out[m][c].at[n] * scale);
          else if (exists)
            sums[d] = softmax.out[m][c].at[n];
        }
    }
  if (block.item.part != whole) return;
  __syncwarp();
  constexpr int chunks = S::head_dim / chunk_width;
  for (int c = lane; c < S::warp_rows * chunks; c += matrix::lanes) {
    const int row = first_row + c / chunks, d = c % chunks * chunk_width;
    if (block.exists(row))
      *reinterpret_cast<Chunk*>(result(a, block.row_of(row), block.head_of(row)) + d) =
          *reinterpret_cast<const Chunk*>(chunk<S::head_dim>(tile, row, d));
  }
}

// Joins the sums of warps that shared the keys of the same rows; of this one's, which begin at `first_row`.
template <class S>
__device__ void put_joined(const Block<S>& block, Softmax<S>& softmax, float* sums, int first_row) {
  __shared__ State states[S::key_warps][S::rows];
  const problem::Arguments& a = block.a;
  const int lane = int(threadIdx.x) % matrix::lanes, warp = int(threadIdx.x) / matrix::lanes;
  const int sharer = warp % S::key_warps;
#pragma unroll
  for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
      const State state = softmax.state(m, s);
      if (matrix::column(lane, 0) == 0) states[sharer][row] = state;
#pragma unroll
      for (int c = 0; c < S::head_dim / matrix::side; ++c)
#pragma unroll
        for (int n = 0; n < matrix::held; ++n)
          if (matrix::row_slot(n) == s)
            sums[(sharer * S::rows + row) * S::head_dim + c * matrix::side + matrix::column(lane, n)] =
                softmax.out[m][c].at[n];
    }
  __syncthreads();
  for (int row = warp; row < S::rows && block.exists(row); row += S::warps) {
    State joined{-INFINITY, 0};
    float scale[S::key_warps];
    for (int w = 0; w < S::key_warps; ++w) joined.peak = fmaxf(joined.peak, states[w][row].peak);
    for (int w = 0; w < S::key_warps; ++w) {
      scale[w] = joined.peak == -INFINITY ? 0.0f : power_of_two(states[w][row].peak - joined.peak);
      joined.total += scale[w] * states[w][row].total;
    }
    const std::int64_t r = block.row_of(row), h = block.head_of(row);
    const std::int64_t place = block.plan.place(r, a.heads, h, block.item.part);
    float factor = 0;
    if (block.item.part == whole)
      factor = finish(a, r, h, joined, lane == 0);
    else if (lane == 0)
      block.plan.states[place] = joined;
    for (int d = lane; d < S::head_dim; d += matrix::lanes) {
      float sum = 0;
      for (int w = 0; w < S::key_warps; ++w) sum += scale[w] * sums[(w * S::rows + row) * S::head_dim + d];
      if (block.item.part == whole)
        result(a, r, h)[d] = podium::cast<real>(sum * factor);
      else
        block.plan.sums[place * S::head_dim + d] = sum;
    }
  }
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
