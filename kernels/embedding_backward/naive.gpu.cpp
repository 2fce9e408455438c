// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread a number, added atomically
//   author: Podium

// In a forward pass each token copied its row of the table; on the way back each adds its gradient to that
// row. Several tokens may have the same row, so the additions are atomic: in no particular order, and one
// after another where a word is frequent. The table is cleared first.
#include <podium/embedding_backward.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block) clear(float* y, std::int64_t size) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < size) y[i] = 0;
}

__global__ void __launch_bounds__(block)
    add(const int* token, podium::Tensor<const real, 2> gradient, podium::Tensor<float, 2> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x, width = gradient.extent(1);
  if (i >= gradient.size()) return;
  const std::int64_t t = i / width, w = i % width;
  atomicAdd(&y(token[t], w), podium::cast<float>(gradient(t, w)));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = [](std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); };
    if (args.y.size() == 0) return;
    podium::launch(clear, blocks(args.y.size()), dim3(block), 0, stream, args.y.data, args.y.size());
    if (args.tokens == 0) return;
    podium::launch(add, blocks(args.gradient.size()), dim3(block), 0, stream, args.token.data, args.gradient,
                   args.y);
  }
};
}  // namespace
