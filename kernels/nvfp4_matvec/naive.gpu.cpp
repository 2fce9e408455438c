// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element of y
//   author: Podium

// y = a x for each matrix of a batch. Elements have four bits, two in a byte; sixteen neighbours share a
// scale. So a thread adds the products of sixteen pairs of elements, scales the sum once, and goes on along
// its row.
#include <podium/nvfp4_matvec.hpp>

namespace {
using problem::group;
constexpr int block = 64;

__device__ float product(podium::e2m1x2 a, podium::e2m1x2 b) {
  return podium::cast<float>(a.low()) * podium::cast<float>(b.low()) +
         podium::cast<float>(a.high()) * podium::cast<float>(b.high());
}

__global__ void __launch_bounds__(block) matvec(problem::Arguments args) {
  const std::int64_t row = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (row >= args.batch * args.m) return;
  const std::int64_t e = row / args.m, i = row % args.m;
  float sum = 0;
  for (std::int64_t g = 0; g < args.k / group; ++g) {
    float part = 0;
    for (std::int64_t pair = g * (group / 2); pair < (g + 1) * (group / 2); ++pair)
      part += product(args.a(e, i, pair), args.x(e, pair));
    sum += part * (podium::cast<float>(args.a_scale(e, i, g)) * podium::cast<float>(args.x_scale(e, g)));
  }
  args.y(e, i) = podium::cast<podium::f16>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.y.size() == 0) return;
    const auto blocks = unsigned(podium::ceil_div(args.y.size(), block));
    podium::launch(matvec, dim3(blocks), dim3(block), 0, stream, args);
  }
};
}  // namespace
