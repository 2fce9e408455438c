// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Square tiles through shared memory, words of four bytes
//   author: Podium
//   source: after Ruetsch and Micikevicius, Optimizing matrix transpose in CUDA, 2009

// A block reads a tile of x along its rows and writes it along its columns, so that memory sees whole rows
// both times; the turn happens in shared memory. A row of the tile is 32 words of four bytes, and a word of
// padding, which spreads a column over all banks. Where elements are narrower than a word, several lanes take
// theirs from one word, which shared memory delivers at once.
#include <podium/transpose.hpp>

namespace {
using problem::real;
constexpr int lanes = 32;  // that move a row together
constexpr int block = 256, teams = block / lanes;
constexpr int packed = 4 / sizeof(real);  // elements of a word
constexpr int side = lanes * packed;      // of a tile, in elements

struct alignas(4) Word {
  real at[packed];
};

// wide_x, wide_y: every row of x, of y begins at a whole word.
__global__ void __launch_bounds__(block)
    transpose(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y, bool wide_x, bool wide_y) {
  __shared__ Word tile[side][lanes + 1];
  // Only a grid's first extent may be large, so tiles are counted along it, row by row.
  const std::int64_t rows = x.extent(0), cols = x.extent(1), across = (cols + side - 1) / side;
  const std::int64_t top = blockIdx.x / across * side, left = blockIdx.x % across * side;
  const int lane = int(threadIdx.x) % lanes, team = int(threadIdx.x) / lanes;
  const auto element = [&](int i, int j) -> real& { return tile[i][j / packed].at[j % packed]; };

#pragma unroll 4
  for (int i = team; i < side; i += teams) {
    if (top + i >= rows) break;
    const real* const in = x.data + (top + i) * cols + left;
    if (wide_x) {
      if (left + lane * packed < cols) tile[i][lane] = reinterpret_cast<const Word*>(in)[lane];
    } else {
#pragma unroll
      for (int j = lane; j < side; j += lanes)
        if (left + j < cols) element(i, j) = in[j];
    }
  }
  __syncthreads();

  if (wide_y) {  // packed lanes are at one word of a row of the tile, and at as many rows of y
    const int word = lane / packed;
#pragma unroll 4
    for (int s = team; s < side; s += teams) {
      // s counts stretches of lanes / packed words: first those of the first `packed` rows of y, and so on.
      const int j = s / packed * packed + lane % packed, at = s % packed * (lanes / packed) + word;
      if (left + j >= cols || top + at * packed >= rows) continue;
      Word out;
#pragma unroll
      for (int k = 0; k < packed; ++k) out.at[k] = element(at * packed + k, j);
      reinterpret_cast<Word*>(y.data + (left + j) * rows + top)[at] = out;
    }
  } else {
#pragma unroll 4
    for (int j = team; j < side; j += teams) {
      if (left + j >= cols) break;
      real* const out = y.data + (left + j) * rows + top;
#pragma unroll
      for (int i = lane; i < side; i += lanes)
        if (top + i < rows) out[i] = element(i, j);
    }
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.rows, side) * podium::ceil_div(args.cols, side);
    if (tiles == 0) return;
    podium::launch(transpose, dim3(unsigned(tiles)), dim3(block), 0, stream, args.x, args.y,
                   args.cols % packed == 0, args.rows % packed == 0);
  }
};
}  // namespace
