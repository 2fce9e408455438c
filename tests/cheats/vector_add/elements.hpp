// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread an element of c, for contestants that each do something else with it. A helper: no contestant.
#pragma once
#include <podium/vector_add.hpp>

namespace {
using problem::real;

inline __device__ float sum_at(const problem::Arguments& args, std::int64_t i) {
  return podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]);
}
inline __device__ void give(const problem::Arguments& args, std::int64_t i, float value) {
  args.c.data[i] = podium::cast<real>(value);
}

// Element: a class whose `of(args, i)` does what this contestant does with element i.
template <class Element>
__global__ void elements(problem::Arguments args, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) Element::of(args, i);
}

template <class Element>
void run_elements(const problem::Arguments& args, std::int64_t count, podium::Stream stream) {
  if (count == 0) return;
  constexpr int block = 256;
  podium::launch(elements<Element>, dim3(unsigned(podium::ceil_div(count, block))), dim3(block), 0, stream,
                 args, count);
}
}  // namespace
