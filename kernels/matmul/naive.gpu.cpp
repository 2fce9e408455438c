// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element of c
//   author: Podium

// c = a b, row-major: a is m by k, b is k by n. Every thread reads a row of a and a column of b; all reuse of
// what was read is left to the caches.
#include <podium/matmul.hpp>

namespace {
using problem::real;
constexpr int side = 16;  // a block computes side x side elements

__global__ void __launch_bounds__(side* side)
    matmul(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, podium::Tensor<real, 2> c) {
  // Only a grid's first extent may be large, so tiles are counted along it, row by row.
  const std::int64_t across = (c.extent(1) + side - 1) / side;
  const std::int64_t i = blockIdx.x / across * side + threadIdx.y,
                     j = blockIdx.x % across * side + threadIdx.x;
  if (i >= c.extent(0) || j >= c.extent(1)) return;
  float sum = 0;
  for (std::int64_t l = 0; l < a.extent(1); ++l)
    sum += podium::cast<float>(a(i, l)) * podium::cast<float>(b(l, j));
  c(i, j) = podium::cast<real>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.m, side) * podium::ceil_div(args.n, side);
    if (tiles == 0) return;
    podium::launch(matmul, dim3(unsigned(tiles)), dim3(side, side), 0, stream, args.a, args.b, args.c);
  }
};
}  // namespace
