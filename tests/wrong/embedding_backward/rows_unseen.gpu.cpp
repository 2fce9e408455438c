// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rows without a token left as they are

// expect: not written | wrong
// Their gradient is 0, and somebody has to write that.
#include "columns.hpp"

namespace {
__global__ void __launch_bounds__(block)
    seen_rows(const int* token, podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y) {
  const std::int64_t w = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (w >= y.extent(1)) return;
  for (std::int64_t t = 0; t < gradient.extent(0); ++t) y(token[t], w) = 0;
  for (std::int64_t t = 0; t < gradient.extent(0); ++t) y(token[t], w) += podium::cast<float>(gradient(t, w));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(seen_rows, dim3(unsigned(podium::ceil_div(args.width, block))), dim3(block), 0, stream,
                   args.token.data, args.gradient, args.y);
  }
};
}  // namespace
