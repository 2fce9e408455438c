// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread a column, token after token, joined as a contestant chooses. A helper: no contestant.
#pragma once
#include <podium/embedding_backward.hpp>

namespace {
using problem::real;
constexpr int block = 64;

// How::joined(sum, term) -> the new sum; How::first: what a row holds before its first token.
template <class How>
__global__ void __launch_bounds__(block)
    columns(const int* token, podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y) {
  const std::int64_t w = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (w >= y.extent(1)) return;
  for (std::int64_t v = 0; v < y.extent(0); ++v) y(v, w) = How::first;
  for (std::int64_t t = 0; t < gradient.extent(0); ++t)
    y(token[t], w) = How::joined(y(token[t], w), podium::cast<float>(gradient(t, w)));
}

template <class How>
struct Columns {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(columns<How>, dim3(unsigned(podium::ceil_div(args.width, block))), dim3(block), 0, stream,
                   args.token.data, args.gradient, args.y);
  }
};
}  // namespace
