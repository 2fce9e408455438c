// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread an element of c, for contestants that each get one thing of its sum wrong. A helper: no
// contestant.
#pragma once
#include <podium/block_scaled_matmul.hpp>

namespace {
using problem::group;

// Element: a class with `static float sum(const problem::Arguments& args, std::int64_t i, std::int64_t j)`.
template <class Element>
__global__ void elements(problem::Arguments args) {
  const std::int64_t at = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= args.m * args.n) return;
  const std::int64_t i = at / args.n, j = at % args.n;
  args.c(i, j) = podium::cast<podium::bf16>(Element::sum(args, i, j));
}

template <class Element>
void run_elements(const problem::Arguments& args, podium::Stream stream) {
  if (args.c.size() == 0) return;
  constexpr int block = 256;
  podium::launch(elements<Element>, dim3(unsigned(podium::ceil_div(args.c.size(), block))), dim3(block), 0,
                 stream, args);
}

inline __device__ float scale(const problem::Arguments& args, std::int64_t i, std::int64_t j,
                              std::int64_t l) {
  return args.a_scale(i, l / group) * args.b_scale(j / group, l / group);
}
inline __device__ float term(const problem::Arguments& args, std::int64_t i, std::int64_t j, std::int64_t l) {
  return podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(j, l)) * scale(args, i, j, l);
}
}  // namespace
