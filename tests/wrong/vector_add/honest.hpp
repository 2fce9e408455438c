// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, for contestants that spoil it. A helper: no contestant.
#pragma once
#include <podium/vector_add.hpp>

namespace {
using problem::real;
constexpr int block = 256;

inline __device__ std::int64_t thread_index() { return std::int64_t(blockIdx.x) * block + threadIdx.x; }
inline dim3 blocks_for(std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); }

__global__ void __launch_bounds__(block) add(const real* a, const real* b, real* c, std::int64_t size) {
  const std::int64_t i = thread_index();
  if (i < size) c[i] = podium::cast<real>(podium::cast<float>(a[i]) + podium::cast<float>(b[i]));
}

inline void honest(const problem::Arguments& args, real* c, podium::Stream stream) {
  podium::launch(add, blocks_for(args.c.size()), dim3(block), 0, stream, args.a.data, args.b.data, c,
                 args.c.size());
}
}  // namespace
