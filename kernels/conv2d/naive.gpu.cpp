// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element of y
//   author: Podium

// An element of y is the sum of products of one filter and the part of an image that it covers; where the
// filter reaches over the edge there is nothing to add. Neighbouring threads have neighbouring filters and
// the same place in the image, so what they read of x is one address for all.
#include <podium/conv2d.hpp>

namespace {
using problem::real;
constexpr int block = 128;

__global__ void __launch_bounds__(block) convolve(problem::Arguments args) {
  const std::int64_t element = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (element >= args.n * args.p * args.q * args.k) return;
  const std::int64_t f = element % args.k, place = element / args.k;
  const std::int64_t j = place % args.q, i = place / args.q % args.p, b = place / args.q / args.p;
  float sum = 0;
  for (std::int64_t u = 0; u < args.r; ++u) {
    const std::int64_t row = i * args.stride + u - args.pad;
    if (row < 0 || row >= args.h) continue;
    for (std::int64_t v = 0; v < args.s; ++v) {
      const std::int64_t column = j * args.stride + v - args.pad;
      if (column < 0 || column >= args.w) continue;
      for (std::int64_t l = 0; l < args.c; ++l)
        sum += podium::cast<float>(args.x(b, row, column, l)) * podium::cast<float>(args.weight(f, u, v, l));
    }
  }
  args.y(b, i, j, f) = podium::cast<real>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.y.size() == 0) return;
    const auto blocks = unsigned(podium::ceil_div(args.y.size(), block));
    podium::launch(convolve, dim3(blocks), dim3(block), 0, stream, args);
  }
};
}  // namespace
