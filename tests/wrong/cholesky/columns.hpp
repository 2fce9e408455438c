// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Column after column by one block a matrix, with whatever arithmetic and extent a contestant chooses. A
// helper: no contestant.
#pragma once
#include <podium/cholesky.hpp>

namespace {
using problem::real;
constexpr int block = 64;

// How, all static: product(x, y) of two elements of l; reach(i, j), how many columns before j are taken
// away from (i, j); above(i, j), what is written above the diagonal; matrix(b), the matrix that b's block
// reads.
struct Right {
  __device__ static real product(real x, real y) { return x * y; }
  __device__ static std::int64_t reach(std::int64_t, std::int64_t j) { return j; }
  __device__ static real above(std::int64_t, std::int64_t) { return 0; }
  __device__ static std::int64_t matrix(std::int64_t b) { return b; }
};

template <class How>
__global__ void __launch_bounds__(block)
    cholesky(podium::Tensor<const real, 3> a, podium::Tensor<real, 3> l) {
  const std::int64_t b = blockIdx.x, n = a.extent(1);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = threadIdx.x; i < j; i += block) l(b, i, j) = How::above(i, j);
    for (std::int64_t i = j + threadIdx.x; i < n; i += block) {
      real rest = a(How::matrix(b), i, j);
      for (std::int64_t k = 0; k < How::reach(i, j); ++k) rest -= How::product(l(b, i, k), l(b, j, k));
      l(b, i, j) = rest;
    }
    __syncthreads();
    const real root = sqrt(l(b, j, j));
    __syncthreads();
    for (std::int64_t i = j + threadIdx.x; i < n; i += block) l(b, i, j) = i == j ? root : l(b, i, j) / root;
    __syncthreads();
  }
}

template <class How>
struct Factorised {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    podium::launch(cholesky<How>, dim3(unsigned(args.batch)), dim3(block), 0, stream, args.a, args.l);
  }
};
}  // namespace
