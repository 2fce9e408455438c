// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants that err are made of: the right answer, a copy, a rounding. A helper: no contestant.
#pragma once
#include <podium/transpose.hpp>

namespace {
using problem::real;
constexpr int block = 256;

inline __device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }
inline dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

inline __global__ void __launch_bounds__(block)
    transpose(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y) {
  const std::int64_t e = thread_index();
  if (e < x.size()) y(e % x.extent(1), e / x.extent(1)) = x.data[e];
}
inline __global__ void __launch_bounds__(block) copy(const real* from, real* to, std::int64_t size) {
  if (const std::int64_t e = thread_index(); e < size) to[e] = from[e];
}
inline __global__ void __launch_bounds__(block) shorten(real* y, std::int64_t size) {
  if (const std::int64_t e = thread_index(); e < size)
    y[e] = podium::cast<real>(podium::cast<podium::bf16>(y[e]));
}
}  // namespace
