// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element, in the order of x
//   author: Podium

// Neighbouring threads read neighbouring elements of a row of x, and write them far apart: each into another
// row of y. A write moves a whole sector of memory for the sake of one element.
#include <podium/transpose.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    transpose(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y) {
  const std::int64_t e = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (e >= x.size()) return;
  const std::int64_t i = e / x.extent(1), j = e % x.extent(1);
  y(j, i) = x(i, j);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    const auto blocks = podium::ceil_div(args.x.size(), block);
    podium::launch(transpose, dim3(unsigned(blocks)), dim3(block), 0, stream, args.x, args.y);
  }
};
}  // namespace
