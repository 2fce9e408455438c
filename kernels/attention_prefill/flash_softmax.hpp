// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the products of queries and keys to results: scores, their online softmax in a warp's registers, and
// the joining of warps that shared the keys. Weights are powers of two.
#pragma once
#include "flash_join.hpp"
#include "flash_tile.hpp"

namespace attention::flash {

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

}  // namespace attention::flash
