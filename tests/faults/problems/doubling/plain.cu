// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One thread an element" }
#include <podium/doubling.hpp>

namespace {
__global__ void twice(podium::Tensor<const float, 1> x, podium::Tensor<float, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < y.extent(0)) y(i) = 2 * x(i);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(twice, dim3(unsigned(podium::ceil_div(args.n, 128))), dim3(128), 0, stream, args.x,
                   args.y);
  }
};
}  // namespace
