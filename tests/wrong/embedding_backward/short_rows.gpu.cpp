// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: No more than 64 tokens a row

// expect: wrong
// A row that has more than fit a list of fixed length loses the others; only frequent words show it.
#include "columns.hpp"

namespace {
constexpr int most = 64;

__global__ void __launch_bounds__(block)
    drop(const int* token, podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y, int* seen) {
  const std::int64_t w = std::int64_t(blockIdx.x) * block + threadIdx.x, width = y.extent(1);
  if (w >= width) return;
  for (std::int64_t v = 0; v < y.extent(0); ++v) y(v, w) = 0;
  for (std::int64_t v = 0; v < y.extent(0); ++v) seen[v * width + w] = 0;
  for (std::int64_t t = 0; t < gradient.extent(0); ++t)
    if (seen[token[t] * width + w]++ < most) y(token[t], w) += podium::cast<float>(gradient(t, w));
}

struct Contestant {
  int* seen;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : seen(workspace.device<int>(std::size_t(w.vocabulary * w.width))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(drop, dim3(unsigned(podium::ceil_div(args.width, block))), dim3(block), 0, stream,
                   args.token.data, args.gradient, args.y, seen);
  }
};
}  // namespace
