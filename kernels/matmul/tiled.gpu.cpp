// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Tiles in shared memory, 8 x 8 sums in registers
//   author: Podium

// Every element of a is needed n times, every element of b m times, and memory could not deliver that. So a
// block computes a square tile of c and brings the strips of a and b that it needs into shared memory, 16 of
// k at a time; within the block every thread keeps span x span sums in registers, so that 2 span reads from
// shared memory feed span² multiplications. While one step is computed the next one's elements are already on
// their way. Works for any shape; rows whose length is a multiple of span are moved in wide accesses.
#include <podium/matmul.hpp>

#include "runs.hpp"

namespace {
using problem::real, runs::read, runs::Run;
constexpr int side = 16;   // a block is side x side threads
constexpr int depth = 16;  // of k, for each step
constexpr int group = 4;   // adjacent elements that a thread reads from shared memory in one access

__device__ void write(real* to, const Run<group>& run) {  // compilers store an array of classes one by one
  uint2 words;
  static_assert(sizeof words == sizeof run);
  std::memcpy(&words, &run, sizeof words);
  *reinterpret_cast<uint2*>(to) = words;
}
struct alignas(group * sizeof(float)) Group {
  float at[group];
};

// Rows (and columns) of c that a thread computes: span / group groups, spread over the tile so that
// neighbouring threads read neighbouring words of shared memory.
template <int span>
__device__ int place(int thread, int s) {
  return s / group * side * group + thread * group + s % group;
}

template <int span>
__global__ void __launch_bounds__(side* side, 2)
    matmul(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, podium::Tensor<real, 2> c) {
  constexpr int tile = side * span;
  __shared__ __align__(16) float strip_a[2][depth][tile];  // transposed
  __shared__ __align__(16) float strip_b[2][depth][tile];

  const std::int64_t m = c.extent(0), n = c.extent(1), k = a.extent(1), across = (n + tile - 1) / tile;
  const std::int64_t top = blockIdx.x / across * tile, left = blockIdx.x % across * tile;
  const int thread = int(threadIdx.x), tx = thread % side, ty = thread / side;
  // Who fetches what: a strip of a is tile rows of depth / span runs, one of b is depth rows of side runs.
  const int a_row = thread / (depth / span), a_col = thread % (depth / span) * span, b_row = ty,
            b_col = tx * span;
  const bool wide_a = k % span == 0, wide_b = n % span == 0;

  float sum[span][span] = {};
  auto next_a = read<span>(a, top + a_row, a_col, wide_a);
  auto next_b = read<span>(b, b_row, left + b_col, wide_b);
  int turn = 0;
  for (std::int64_t at = 0; at < k; at += depth, turn ^= 1) {
#pragma unroll
    for (int s = 0; s < span; ++s) strip_a[turn][a_col + s][a_row] = podium::cast<float>(next_a.at[s]);
#pragma unroll
    for (int s = 0; s < span; ++s) strip_b[turn][b_row][b_col + s] = podium::cast<float>(next_b.at[s]);
    __syncthreads();  // one a step is enough: the next step writes the other pair of strips
    if (at + depth < k) {
      next_a = read<span>(a, top + a_row, at + depth + a_col, wide_a);
      next_b = read<span>(b, at + depth + b_row, left + b_col, wide_b);
    }
#pragma unroll
    for (int l = 0; l < depth; ++l) {
      Group x[span / group], y[span / group];
#pragma unroll
      for (int g = 0; g < span / group; ++g) {
        x[g] = *reinterpret_cast<const Group*>(&strip_a[turn][l][place<span>(ty, g * group)]);
        y[g] = *reinterpret_cast<const Group*>(&strip_b[turn][l][place<span>(tx, g * group)]);
      }
#pragma unroll
      for (int i = 0; i < span; ++i)
#pragma unroll
        for (int j = 0; j < span; ++j) sum[i][j] += x[i / group].at[i % group] * y[j / group].at[j % group];
    }
  }

#pragma unroll
  for (int i = 0; i < span; ++i) {
    const std::int64_t row = top + place<span>(ty, i);
    if (row >= m) continue;
#pragma unroll
    for (int g = 0; g < span / group; ++g) {
      const std::int64_t col = left + place<span>(tx, g * group);
      Run<group> run;
#pragma unroll
      for (int j = 0; j < group; ++j) run.at[j] = podium::cast<real>(sum[i][g * group + j]);
      real* out = c.data + row * c.stride(0) + col;
      if (n % group == 0 && col < n) {
        write(out, run);
      } else {
#pragma unroll
        for (int j = 0; j < group; ++j)
          if (col + j < n) out[j] = run.at[j];
      }
    }
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = [&](int span) {
      return podium::ceil_div(args.m, side * span) * podium::ceil_div(args.n, side * span);
    };
    if (tiles(8) == 0) return;
    constexpr std::int64_t enough = 128;  // blocks; with fewer, smaller tiles keep more of a device busy
    const auto launch = [&](auto kernel, std::int64_t blocks) {
      podium::launch(kernel, dim3(unsigned(blocks)), dim3(side * side), 0, stream, args.a, args.b, args.c);
    };
    if (tiles(8) >= enough)
      launch(matmul<8>, tiles(8));
    else
      launch(matmul<4>, tiles(4));
  }
};
}  // namespace
