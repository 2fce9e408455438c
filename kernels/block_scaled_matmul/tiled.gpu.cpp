// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Tiles in shared memory, 8 x 8 sums in registers
//   author: Podium

// A block computes a square tile of c and brings the strips of a and b that it needs into shared memory, 16
// of k at a time, as floats that are already multiplied by their scales. Every thread keeps span x span sums,
// so that 2 span reads from shared memory feed span² multiplications; the next step's elements are on their
// way while one is computed. Works for any shape; rows of a multiple of 8 elements are read in wide accesses.
#include <podium/block_scaled_matmul.hpp>

namespace {
using problem::group, problem::real;
constexpr int side = 16;   // a block is side x side threads
constexpr int depth = 16;  // of k, for each step
constexpr int four = 4;    // adjacent floats that a thread reads from shared memory in one access

struct alignas(four * sizeof(float)) Four {
  float at[four];
};
template <int span>
struct alignas(span) Run {  // of a row of a or b, with the scale that all of it has
  real at[span];
};
template <int span>
struct Scaled {
  Run<span> run;
  float scale;
};

// Elements j to j + span of row i; zero beyond the matrix. `wide`: every row begins at a multiple of a Run.
template <int span>
__device__ Scaled<span> read(const podium::Tensor<const real, 2>& t,
                             const podium::Tensor<const float, 2>& scale, std::int64_t i,
                             std::int64_t scale_row, std::int64_t j, bool wide) {
  Scaled<span> result{};
  if (i >= t.extent(0) || j >= t.extent(1)) return result;
  const real* at = t.data + i * t.stride(0) + j;
  result.scale = scale(scale_row, j / group);  // a Run lies within a group: span divides both
  if (wide) {
    result.run = *reinterpret_cast<const Run<span>*>(at);
  } else {
#pragma unroll
    for (int s = 0; s < span; ++s)
      if (j + s < t.extent(1)) result.run.at[s] = at[s];
  }
  return result;
}

// Rows (and columns) of c that a thread computes: span / four groups, spread over the tile so that
// neighbouring threads read neighbouring words of shared memory.
template <int span>
__device__ int place(int thread, int s) {
  return s / four * side * four + thread * four + s % four;
}

template <int span>
__global__ void __launch_bounds__(side* side, 2) matmul(problem::Arguments args) {
  constexpr int tile = side * span;
  __shared__ __align__(16) float strip_a[2][depth][tile];  // transposed
  __shared__ __align__(16) float strip_b[2][depth][tile];

  const std::int64_t across = (args.n + tile - 1) / tile;
  const std::int64_t top = blockIdx.x / across * tile, left = blockIdx.x % across * tile;
  const int thread = int(threadIdx.x), tx = thread % side, ty = thread / side;
  // Who fetches what: a strip is tile rows of depth / span runs.
  const int row = thread / (depth / span), col = thread % (depth / span) * span;
  const std::int64_t i = top + row, j = left + row;
  const bool wide = args.k % span == 0;

  float sum[span][span] = {};
  auto next_a = read<span>(args.a, args.a_scale, i, i, col, wide);
  auto next_b = read<span>(args.b, args.b_scale, j, j / group, col, wide);
  int turn = 0;
  for (std::int64_t at = 0; at < args.k; at += depth, turn ^= 1) {
#pragma unroll
    for (int s = 0; s < span; ++s) {
      strip_a[turn][col + s][row] = podium::cast<float>(next_a.run.at[s]) * next_a.scale;
      strip_b[turn][col + s][row] = podium::cast<float>(next_b.run.at[s]) * next_b.scale;
    }
    __syncthreads();  // one a step is enough: the next step writes the other pair of strips
    if (at + depth < args.k) {
      next_a = read<span>(args.a, args.a_scale, i, i, at + depth + col, wide);
      next_b = read<span>(args.b, args.b_scale, j, j / group, at + depth + col, wide);
    }
#pragma unroll
    for (int l = 0; l < depth; ++l) {
      Four x[span / four], y[span / four];
#pragma unroll
      for (int g = 0; g < span / four; ++g) {
        x[g] = *reinterpret_cast<const Four*>(&strip_a[turn][l][place<span>(ty, g * four)]);
        y[g] = *reinterpret_cast<const Four*>(&strip_b[turn][l][place<span>(tx, g * four)]);
      }
#pragma unroll
      for (int r = 0; r < span; ++r)
#pragma unroll
        for (int s = 0; s < span; ++s) sum[r][s] += x[r / four].at[r % four] * y[s / four].at[s % four];
    }
  }

#pragma unroll
  for (int r = 0; r < span; ++r)
#pragma unroll
    for (int s = 0; s < span; ++s) {
      const std::int64_t y = top + place<span>(ty, r), x = left + place<span>(tx, s);
      if (y < args.m && x < args.n) args.c(y, x) = podium::cast<podium::bf16>(sum[r][s]);
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
      podium::launch(kernel, dim3(unsigned(blocks)), dim3(side * side), 0, stream, args);
    };
    if (tiles(8) >= enough)
      launch(matmul<8>, tiles(8));
    else
      launch(matmul<4>, tiles(4));
  }
};
}  // namespace
