// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element, and an empty grid for no elements

// expect: right
// What is not a number comes from the device's own square root.
#include <podium/roots.hpp>

namespace {
__global__ void roots(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sqrtf(x[i]);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(roots, dim3(unsigned(podium::ceil_div(args.n, 256))), dim3(256), 0, stream, args.x.data,
                   args.y.data, args.n);
  }
};
}  // namespace
