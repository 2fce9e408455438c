// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, for contestants that spoil it. A helper: no contestant.
#pragma once
#include <podium/matmul.hpp>

namespace {
using problem::real;
constexpr int block = 256;

inline __device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }
inline dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

__global__ void __launch_bounds__(block)
    matmul(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, real* c) {
  const std::int64_t n = b.extent(1), i = thread_index() / n, j = thread_index() % n;
  if (i >= a.extent(0)) return;
  float sum = 0;
  for (std::int64_t l = 0; l < a.extent(1); ++l)
    sum += podium::cast<float>(a(i, l)) * podium::cast<float>(b(l, j));
  c[i * n + j] = podium::cast<real>(sum);
}

inline void honest(const problem::Arguments& args, real* c, podium::Stream stream) {
  podium::launch(matmul, blocks_for(args.c.size()), dim3(block), 0, stream, args.a, args.b, c);
}
}  // namespace
