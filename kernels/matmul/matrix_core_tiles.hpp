// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A matrix product by AMD's matrix cores, whatever their instruction.
//
// A block computes a tile of tile x tile elements of c. Step by step it brings `step` of k of the rows of a
// and of the columns of b into shared memory (LDS), b transposed, so that a lane finds its consecutive k in
// consecutive words; its waves then share the tile. Two buffers: while one step is multiplied, the next one's
// elements are on their way from memory to registers. Works for any shape; rows whose length allows it are
// read in wide accesses.
#pragma once
#include <podium/matmul.hpp>

#include "matrix_core_lanes.hpp"
#include "runs.hpp"

namespace matrix_cores {

using problem::real, runs::read, runs::Run;

constexpr int threads = 256, tile = 128, step = 32;
constexpr int chunk = 8;             // elements, 16 bytes: what one LDS access moves
constexpr int pitch = step + chunk;  // elements between lines in LDS, so that lines begin in different banks

// Where element k of a line lies in LDS. Chunks are permuted from one group of lines to the next:
// neighbouring threads, which write neighbouring lines of b, meet different banks.
constexpr int slot(int line, int k) {
  return line * pitch + ((k / chunk) ^ (line / 4 % (step / chunk))) * chunk + k % chunk;
}

// What a thread fetches of one step: 16 of k of one row of a, 4 x 4 of b.
struct Fetched {
  Run<8> a[2];
  Run<4> b[4];
};

__device__ Fetched fetch(const podium::Tensor<const real, 2>& a, const podium::Tensor<const real, 2>& b,
                         std::int64_t top, std::int64_t left, std::int64_t at, int thread) {
  const bool wide_a = a.extent(1) % 8 == 0, wide_b = b.extent(1) % 4 == 0;
  Fetched f;
#pragma unroll
  for (int s = 0; s < 2; ++s) f.a[s] = read<8>(a, top + thread / 2, at + thread % 2 * 16 + s * 8, wide_a);
#pragma unroll
  for (int s = 0; s < 4; ++s) f.b[s] = read<4>(b, at + thread / 32 * 4 + s, left + thread % 32 * 4, wide_b);
  return f;
}

__device__ void keep(const Fetched& f, real* strip_a, real* strip_b, int thread) {
#pragma unroll
  for (int s = 0; s < 2; ++s)
    *reinterpret_cast<Run<8>*>(strip_a + slot(thread / 2, thread % 2 * 16 + s * 8)) = f.a[s];
#pragma unroll
  for (int column = 0; column < 4; ++column) {
    Run<4> transposed;
#pragma unroll
    for (int s = 0; s < 4; ++s) transposed.at[s] = f.b[s].at[column];
    *reinterpret_cast<Run<4>*>(strip_b + slot(thread % 32 * 4 + column, thread / 32 * 4)) = transposed;
  }
}

// Core: one of the lane maps, its types Operand and Sums, and multiply(a, b, sums).
template <class Core>
__device__ typename Core::Operand operand(const real* strip, int line, int k) {
  constexpr int piece = Core::held < chunk ? Core::held : chunk;
  typename Core::Operand result;
#pragma unroll
  for (int s = 0; s < Core::held; s += piece)
    __builtin_memcpy(reinterpret_cast<char*>(&result) + s * sizeof(real), strip + slot(line, k + s),
                     piece * sizeof(real));
  return result;
}

template <class Core>
__global__ void __launch_bounds__(threads)
    matmul(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, podium::Tensor<real, 2> c) {
  // Two waves one below the other, the others beside these.
  constexpr int waves = threads / Core::lanes, high = tile / 2, wide = tile / (waves / 2);
  constexpr int down = high / Core::side, across = wide / Core::side;
  __shared__ __align__(16) unsigned short strips[2][2][tile * pitch];

  const std::int64_t tiles_across = podium::ceil_div(c.extent(1), tile);
  const std::int64_t top = blockIdx.x / tiles_across * tile, left = blockIdx.x % tiles_across * tile;
  const int thread = int(threadIdx.x), lane = thread % Core::lanes, wave = thread / Core::lanes;
  const int wave_top = wave % 2 * high, wave_left = wave / 2 * wide;
  const std::int64_t k = a.extent(1);
  const auto strip = [&](int turn, int which) { return reinterpret_cast<real*>(strips[turn][which]); };

  typename Core::Sums sums[down][across] = {};
  auto next = fetch(a, b, top, left, 0, thread);
  int turn = 0;
  for (std::int64_t at = 0; at < k; at += step, turn ^= 1) {
    keep(next, strip(turn, 0), strip(turn, 1), thread);
    __syncthreads();  // one a step is enough: the next step writes the other pair of strips
    if (at + step < k) next = fetch(a, b, top, left, at + step, thread);
#pragma unroll
    for (int l = 0; l < step; l += Core::depth) {
      typename Core::Operand x[down], y[across];
#pragma unroll
      for (int i = 0; i < down; ++i)
        x[i] = operand<Core>(strip(turn, 0), wave_top + i * Core::side + Core::line(lane),
                             l + Core::first(lane));
#pragma unroll
      for (int j = 0; j < across; ++j)
        y[j] = operand<Core>(strip(turn, 1), wave_left + j * Core::side + Core::line(lane),
                             l + Core::first(lane));
#pragma unroll
      for (int i = 0; i < down; ++i)
#pragma unroll
        for (int j = 0; j < across; ++j) sums[i][j] = Core::multiply(x[i], y[j], sums[i][j]);
    }
  }

#pragma unroll
  for (int i = 0; i < down; ++i)
#pragma unroll
    for (int j = 0; j < across; ++j)
#pragma unroll
      for (int s = 0; s < Core::sums; ++s) {
        const Place place = Core::sum(lane, s);
        const std::int64_t row = top + wave_top + i * Core::side + place.row,
                           column = left + wave_left + j * Core::side + place.column;
        if (row < c.extent(0) && column < c.extent(1)) c(row, column) = podium::cast<real>(sums[i][j][s]);
      }
}

template <class Core>
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.m, tile) * podium::ceil_div(args.n, tile);
    if (tiles == 0) return;
    podium::launch(matmul<Core>, dim3(unsigned(tiles)), dim3(threads), 0, stream, args.a, args.b, args.c);
  }
};

}  // namespace matrix_cores
