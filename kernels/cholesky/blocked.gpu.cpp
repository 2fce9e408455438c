// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Panels of 32 columns, right-looking
//   author: Podium
//   source: after Anderson et al., LAPACK Users' Guide, 1999, on blocked algorithms

// Three launches a panel, each for all matrices of the batch:
//   factor  the square tile on the diagonal, one thread a row;
//   solve   the rows below it against that tile, one thread a row;
//   update  what is right of the panel: minus the panel times its transpose, 64 x 64 elements a block.
// The first panel reads a, all others what the update before them left in l. Matrices of at most 32 rows need
// nothing but the first launch, which handles several of them a block.
#include <podium/cholesky.hpp>

namespace {
using problem::real;
using Source = podium::Tensor<const real, 3>;
using Target = podium::Tensor<real, 3>;
constexpr int width = 32;    // of a panel
constexpr int block = 128;   // threads of factor and solve
constexpr int side = 64;     // of a tile of update
constexpr int threads = 16;  // of update, in each direction
constexpr int each = side / threads;

// Thread r of a matrix holds row r of its tile, in registers: loops are unrolled. Beyond n the tile is
// completed by ones on the diagonal. Above it l holds whatever it held: not read, for a NaN there is divided
// slowly.
template <int tile>
__global__ void __launch_bounds__(block) factor(Source from, Target l, std::int64_t p) {
  constexpr int matrices = block / tile;
  __shared__ real staged[matrices][tile][tile + 1], column[2][matrices][tile];
  const int r = int(threadIdx.x), own = int(threadIdx.y);
  const std::int64_t b = std::int64_t(blockIdx.x) * matrices + own, n = from.extent(1);
  const bool there = b < from.extent(0);
  for (int i = 0; i < tile; ++i)
    staged[own][i][r] = there && p + i < n && r <= i ? from(b, p + i, p + r) : real(i == r);
  __syncthreads();
  real x[tile];
#pragma unroll
  for (int c = 0; c < tile; ++c) x[c] = staged[own][r][c];
#pragma unroll
  for (int j = 0; j < tile; ++j) {
    real* const pivots = column[j % 2][own];
    pivots[r] = x[j];
    __syncthreads();
    const real times = x[j] / pivots[j];
#pragma unroll
    for (int c = j + 1; c < tile; ++c) x[c] -= times * pivots[c];
    x[j] = r < j ? real(0) : r == j ? sqrt(pivots[j]) : x[j] / sqrt(pivots[j]);
  }
#pragma unroll
  for (int c = 0; c < tile; ++c) staged[own][r][c] = x[c];
  __syncthreads();
  for (int i = 0; i < tile; ++i)
    if (there && p + i < n && p + r < n) l(b, p + i, p + r) = staged[own][i][r];
}

// Rows x of the panel: x tileᵀ = what was there. Above the diagonal, zeros take the mirrored place.
__global__ void __launch_bounds__(block) solve(Source from, Target l, std::int64_t p, int chunks) {
  __shared__ real tile[width][width + 1], staged[block][width + 1];
  const int c = int(threadIdx.x) % width, me = int(threadIdx.x);
  const std::int64_t b = blockIdx.x / chunks, n = from.extent(1);
  const std::int64_t top = p + width + blockIdx.x % chunks * block;
  for (int i = me / width; i < width; i += block / width) tile[i][c] = l(b, p + i, p + c);
  for (int i = me / width; i < block; i += block / width)
    if (top + i < n) staged[i][c] = from(b, top + i, p + c);
  __syncthreads();
  if (top + me < n) {
    real x[width];
#pragma unroll
    for (int j = 0; j < width; ++j) x[j] = staged[me][j];
#pragma unroll
    for (int j = 0; j < width; ++j) {
      x[j] /= tile[j][j];
#pragma unroll
      for (int k = j + 1; k < width; ++k) x[k] -= x[j] * tile[k][j];
      staged[me][j] = x[j];
      l(b, p + j, top + me) = 0;
    }
  }
  __syncthreads();
  for (int i = me / width; i < block; i += block / width)
    if (top + i < n) l(b, top + i, p + c) = staged[i][c];
}

// Tiles on and below the diagonal are numbered row by row.
__global__ void __launch_bounds__(threads* threads) update(Source from, Target l, std::int64_t p, int tiles) {
  __shared__ real rows[side][width + 1], columns[side][width + 1];
  const std::int64_t b = blockIdx.x / tiles, n = from.extent(1), first = p + width;
  int down = 0, across = int(blockIdx.x % tiles);
  while (across > down) across -= ++down;
  const std::int64_t top = first + std::int64_t(down) * side, left = first + std::int64_t(across) * side;
  const int x = int(threadIdx.x), y = int(threadIdx.y), me = y * threads + x;
  for (int at = me; at < side * width; at += threads * threads) {
    const int i = at / width, k = at % width;
    rows[i][k] = top + i < n ? l(b, top + i, p + k) : real(0);
    columns[i][k] = left + i < n ? l(b, left + i, p + k) : real(0);
  }
  __syncthreads();
  real sum[each][each] = {};
#pragma unroll 4
  for (int k = 0; k < width; ++k)
#pragma unroll
    for (int u = 0; u < each; ++u)
#pragma unroll
      for (int v = 0; v < each; ++v) sum[u][v] += rows[y + u * threads][k] * columns[x + v * threads][k];
#pragma unroll
  for (int u = 0; u < each; ++u)
#pragma unroll
    for (int v = 0; v < each; ++v) {
      const std::int64_t i = top + y + u * threads, j = left + x + v * threads;
      if (i < n && j <= i) l(b, i, j) = from(b, i, j) - sum[u][v];
    }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t batch = args.batch, n = args.n;
    const auto grid = [&](std::int64_t blocks) { return dim3(unsigned(blocks)); };
    if (batch == 0) return;
    if (n <= width / 2) {
      constexpr int tile = width / 2;
      podium::launch(factor<tile>, grid(podium::ceil_div(batch, block / tile)), dim3(tile, block / tile), 0,
                     stream, args.a, args.l, 0);
      return;
    }
    Source from = args.a;
    for (std::int64_t p = 0; p < n; p += width) {
      podium::launch(factor<width>, grid(podium::ceil_div(batch, block / width)), dim3(width, block / width),
                     0, stream, from, args.l, p);
      const std::int64_t below = n - p - width;
      if (below <= 0) return;
      const std::int64_t chunks = podium::ceil_div(below, block), down = podium::ceil_div(below, side);
      const std::int64_t tiles = down * (down + 1) / 2;
      podium::launch(solve, grid(batch * chunks), dim3(block), 0, stream, from, args.l, p, int(chunks));
      podium::launch(update, grid(batch * tiles), dim3(threads, threads), 0, stream, from, args.l, p,
                     int(tiles));
      from.data = args.l.data;  // of the same shape and strides
    }
  }
};
}  // namespace
