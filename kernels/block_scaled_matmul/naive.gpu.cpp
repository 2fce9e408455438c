// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element of c
//   author: Podium

// c = a bᵀ with a scale for each 128 elements of a row of a and one for each block of 128 x 128 of b. Within
// a block the scales are the same for all products, so the products are added first and scaled once.
#include <podium/block_scaled_matmul.hpp>

namespace {
using problem::real, problem::group;
constexpr int side = 16;  // a block of threads computes side x side elements

__global__ void __launch_bounds__(side* side) matmul(problem::Arguments args) {
  // Only a grid's first extent may be large, so tiles are counted along it, row by row.
  const std::int64_t across = (args.n + side - 1) / side;
  const std::int64_t i = blockIdx.x / across * side + threadIdx.y,
                     j = blockIdx.x % across * side + threadIdx.x;
  if (i >= args.m || j >= args.n) return;
  float sum = 0;
  for (std::int64_t first = 0; first < args.k; first += group) {
    const std::int64_t last = first + group < args.k ? first + group : args.k;
    float part = 0;
    for (std::int64_t l = first; l < last; ++l)
      part += podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(j, l));
    sum += part * (args.a_scale(i, first / group) * args.b_scale(j / group, first / group));
  }
  args.c(i, j) = podium::cast<podium::bf16>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.m, side) * podium::ceil_div(args.n, side);
    if (tiles == 0) return;
    podium::launch(matmul, dim3(unsigned(tiles)), dim3(side, side), 0, stream, args);
  }
};
}  // namespace
