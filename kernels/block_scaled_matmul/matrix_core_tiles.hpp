// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The product by AMD's matrix cores, which multiply 8-bit floats and add in f32.
//
// A block computes a tile of tile x tile elements of c. Rows of a and of b are both contiguous in k, so both
// come the same way: step by step, `step` of k of each row into shared memory (LDS), of which a lane reads
// its consecutive k in one access. Two buffers: while one step is multiplied, the next one's elements are on
// their way. The scales are the same for `group` of k: sums of a group are the hardware's, and are scaled
// and added to the total when the group ends. Works for any shape.
#pragma once
#include <podium/block_scaled_matmul.hpp>

#include "../matmul/matrix_core_lanes.hpp"

namespace scaled_cores {

using problem::group, problem::real;

constexpr int threads = 256, tile = 128, step = 64;
constexpr int chunk = 16;            // elements, and bytes: what one access to global memory moves
constexpr int pitch = step + chunk;  // between rows in LDS, so that rows begin in different banks
constexpr int chunks = tile * step / (threads * chunk);  // that a thread fetches of each operand
static_assert(group % step == 0, "a step has the scales of one group");
static_assert(tile == group, "a tile has one row of b's scales");

struct alignas(chunk) Chunk {
  std::uint32_t word[chunk / 4];  // of four elements
};
struct Fetched {
  Chunk at[chunks];
};

// Elements of row i from k on; zeros beyond the matrix. `wide`: every row begins at a multiple of a Chunk.
__device__ inline Chunk read(const podium::Tensor<const real, 2>& t, std::int64_t i, std::int64_t k,
                             bool wide) {
  if (i >= t.extent(0) || k >= t.extent(1)) return {};
  const real* at = t.data + i * t.stride(0) + k;
  if (wide) return *reinterpret_cast<const Chunk*>(at);
  const int left = int(min(t.extent(1) - k, std::int64_t(chunk)));
  const auto byte = [&](int s) {  // without a branch: the last element in the place of those beyond it
    const std::uint32_t bits = at[min(s, left - 1)].bits;
    return s < left ? bits : 0;
  };
  const auto word = [&](int s) { return byte(s) | byte(s + 1) << 8 | byte(s + 2) << 16 | byte(s + 3) << 24; };
  return {{word(0), word(4), word(8), word(12)}};
}

__device__ inline int row_of(int thread, int s) { return (s * threads + thread) / (step / chunk); }
__device__ inline int first_of(int thread) { return thread % (step / chunk) * chunk; }

__device__ inline Fetched fetch(const podium::Tensor<const real, 2>& t, std::int64_t top, std::int64_t k,
                                int thread) {
  const bool wide = t.extent(1) % chunk == 0;
  Fetched result;
#pragma unroll
  for (int s = 0; s < chunks; ++s)
    result.at[s] = read(t, top + row_of(thread, s), k + first_of(thread), wide);
  return result;
}

__device__ inline void keep(const Fetched& f, unsigned char* strip, int thread) {
#pragma unroll
  for (int s = 0; s < chunks; ++s)
    *reinterpret_cast<Chunk*>(strip + row_of(thread, s) * pitch + first_of(thread)) = f.at[s];
}

// Core: one of the lane maps, its types Operand and Sums, and multiply(a, b, sums).
template <class Core>
__global__ void __launch_bounds__(threads) matmul(problem::Arguments args) {
  // Two waves one below the other, the others beside these.
  constexpr int waves = threads / Core::lanes, high = tile / 2, wide = tile / (waves / 2);
  constexpr int down = high / Core::side, across = wide / Core::side;
  static_assert(Core::held == sizeof(typename Core::Operand), "of one byte each");
  __shared__ __align__(16) unsigned char strips[2][2][tile * pitch];
  __shared__ float scales[2][tile];  // of the rows of a in a group of k, with b's, which is one for all

  const std::int64_t tiles_across = podium::ceil_div(args.n, tile);
  const std::int64_t top = blockIdx.x / tiles_across * tile, left = blockIdx.x % tiles_across * tile;
  const int thread = int(threadIdx.x), lane = thread % Core::lanes, wave = thread / Core::lanes;
  const int wave_top = wave % 2 * high, wave_left = wave / 2 * wide;
  const auto operand = [&](int turn, int which, int row, int k) {
    return *reinterpret_cast<const typename Core::Operand*>(&strips[turn][which][row * pitch + k]);
  };

  typename Core::Sums sums[down][across] = {}, totals[down][across] = {};
  auto next_a = fetch(args.a, top, 0, thread), next_b = fetch(args.b, left, 0, thread);
  int turn = 0;
  for (std::int64_t at = 0; at < args.k; at += step, turn ^= 1) {
    keep(next_a, strips[turn][0], thread);
    keep(next_b, strips[turn][1], thread);
    if (at % group == 0 && thread < tile)
      scales[at / group % 2][thread] = top + thread < args.m ? args.a_scale(top + thread, at / group) *
                                                                   args.b_scale(left / group, at / group)
                                                             : 0;
    __syncthreads();  // one a step is enough: the next step writes the other pair of strips
    if (at + step < args.k) {
      next_a = fetch(args.a, top, at + step, thread);
      next_b = fetch(args.b, left, at + step, thread);
    }
#pragma unroll
    for (int l = 0; l < step; l += Core::depth) {
      typename Core::Operand x[down], y[across];
#pragma unroll
      for (int i = 0; i < down; ++i)
        x[i] = operand(turn, 0, wave_top + i * Core::side + Core::line(lane), l + Core::first(lane));
#pragma unroll
      for (int j = 0; j < across; ++j)
        y[j] = operand(turn, 1, wave_left + j * Core::side + Core::line(lane), l + Core::first(lane));
#pragma unroll
      for (int i = 0; i < down; ++i)
#pragma unroll
        for (int j = 0; j < across; ++j) sums[i][j] = Core::multiply(x[i], y[j], sums[i][j]);
    }
    if ((at + step) % group != 0 && at + step < args.k) continue;
#pragma unroll
    for (int i = 0; i < down; ++i)
#pragma unroll
      for (int s = 0; s < Core::sums; ++s) {
        const float scale = scales[at / group % 2][wave_top + i * Core::side + Core::sum(lane, s).row];
#pragma unroll
        for (int j = 0; j < across; ++j) totals[i][j][s] += sums[i][j][s] * scale, sums[i][j][s] = 0;
      }
  }

  const int rows = int(min(args.m - top, std::int64_t(tile))),
            columns = int(min(args.n - left, std::int64_t(tile)));
  podium::bf16* const corner = &args.c(top, left);
#pragma unroll
  for (int i = 0; i < down; ++i)
#pragma unroll
    for (int j = 0; j < across; ++j)
#pragma unroll
      for (int s = 0; s < Core::sums; ++s) {
        const matrix_cores::Place place = Core::sum(lane, s);
        const int row = wave_top + i * Core::side + place.row,
                  column = wave_left + j * Core::side + place.column;
        if (row < rows && column < columns)
          corner[row * args.c.stride(0) + column] = podium::cast<podium::bf16>(totals[i][j][s]);
      }
}

template <class Core>
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.m, tile) * podium::ceil_div(args.n, tile);
    if (tiles == 0) return;
    podium::launch(matmul<Core>, dim3(unsigned(tiles)), dim3(threads), 0, stream, args);
  }
};

// v_mfma_f32_32x32x16_fp8_fp8 of CDNA 3 and 4: the former takes E4M3 without negative zero (fnuz), the latter
// that of the OCP's standard.
struct Mfma : matrix_cores::Mfma<16> {
  using Sums = float __attribute__((ext_vector_type(sums)));
  using Operand = long;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, c, 0, 0, 0);
  }
};

}  // namespace scaled_cores
