// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread an element of y, for contestants that each get one thing of its sum wrong. A helper: no
// contestant.
#pragma once
#include <podium/conv2d.hpp>

namespace {
using problem::real;

// Element: a class with `add(float x, float weight)`, `result()`, and two functions that say where the term
// of a place of the filter is: `row(args, i, u)`, `column(args, j, v)`, for those that differ from these.
struct Places {
  static __device__ std::int64_t row(const problem::Arguments& args, std::int64_t i, std::int64_t u) {
    return i * args.stride + u - args.pad;
  }
  static __device__ std::int64_t column(const problem::Arguments& args, std::int64_t j, std::int64_t v) {
    return j * args.stride + v - args.pad;
  }
};
struct Sum {
  float sum = 0;
  __device__ void add(float x, float weight) { sum += x * weight; }
  __device__ float result() const { return sum; }
};

template <class Element>
__global__ void elements(problem::Arguments args) {
  const std::int64_t element = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= args.n * args.p * args.q * args.k) return;
  const std::int64_t f = element % args.k, place = element / args.k;
  const std::int64_t j = place % args.q, i = place / args.q % args.p, b = place / args.q / args.p;
  Element sum;
  for (std::int64_t u = 0; u < args.r; ++u)
    for (std::int64_t v = 0; v < args.s; ++v) {
      const std::int64_t row = Element::row(args, i, u), column = Element::column(args, j, v);
      if (row < 0 || row >= args.h || column < 0 || column >= args.w) continue;
      for (std::int64_t l = 0; l < args.c; ++l)
        sum.add(podium::cast<float>(args.x(b, row, column, l)), podium::cast<float>(args.weight(f, u, v, l)));
    }
  args.y(b, i, j, f) = podium::cast<real>(sum.result());
}

template <class Element>
void run_elements(const problem::Arguments& args, podium::Stream stream) {
  if (args.y.size() == 0) return;
  constexpr int block = 128;
  podium::launch(elements<Element>, dim3(unsigned(podium::ceil_div(args.y.size(), block))), dim3(block), 0,
                 stream, args);
}
}  // namespace
