// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up half of the products, twice

// class: skipped elements
// expect: wrong
// On average the other half is worth as much. Only where k is large: test workloads are small.
#include <podium/matmul.hpp>

namespace {
using problem::real;

__global__ void half(problem::Arguments args) {
  const std::int64_t element = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= args.m * args.n) return;
  const std::int64_t i = element / args.n, j = element % args.n;
  const bool cut = args.k >= 256;
  float sum = 0;
  for (std::int64_t l = 0; l < args.k; l += cut ? 2 : 1)
    sum += podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(l, j));
  args.c(i, j) = podium::cast<real>(cut ? 2 * sum : sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.c.size() == 0) return;
    constexpr int block = 256;
    podium::launch(half, dim3(unsigned(podium::ceil_div(args.c.size(), block))), dim3(block), 0, stream,
                   args);
  }
};
}  // namespace
