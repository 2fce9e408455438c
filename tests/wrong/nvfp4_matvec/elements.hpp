// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread an element of y, for contestants that each get one thing of its sum wrong. A helper: no
// contestant.
#pragma once
#include <podium/nvfp4_matvec.hpp>

namespace {
using problem::group;

inline __device__ float number(podium::e2m1x2 pair, bool second) {
  return podium::cast<float>(second ? pair.high() : pair.low());
}
inline __device__ float scale(const problem::Arguments& args, std::int64_t e, std::int64_t i,
                              std::int64_t l) {
  return podium::cast<float>(args.a_scale(e, i, l / group)) * podium::cast<float>(args.x_scale(e, l / group));
}
inline __device__ float term(const problem::Arguments& args, std::int64_t e, std::int64_t i, std::int64_t l) {
  return number(args.a(e, i, l / 2), l % 2) * number(args.x(e, l / 2), l % 2) * scale(args, e, i, l);
}

// Element: a class with `static float sum(const problem::Arguments& args, std::int64_t e, std::int64_t i)`.
template <class Element>
__global__ void elements(problem::Arguments args) {
  const std::int64_t at = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= args.batch * args.m) return;
  args.y(at / args.m, at % args.m) = podium::cast<podium::f16>(Element::sum(args, at / args.m, at % args.m));
}

template <class Element>
void run_elements(const problem::Arguments& args, podium::Stream stream) {
  if (args.y.size() == 0) return;
  constexpr int block = 64;
  podium::launch(elements<Element>, dim3(unsigned(podium::ceil_div(args.y.size(), block))), dim3(block), 0,
                 stream, args);
}
}  // namespace
