// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread a pair
//   author: Podium

// A token's position is told to a model by turning pairs of numbers, each pair at a speed of its own: the
// product of two vectors turned so depends on how far apart they are, not on where they are. Here a pair is d
// and d + head_dim / 2, and sines and cosines come from a table.
#include <podium/rope.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    turn(podium::Tensor<const real, 3> x, const int* position, podium::Tensor<const float, 2> table,
         podium::Tensor<real, 3> y) {
  const std::int64_t heads = x.extent(1), half = x.extent(2) / 2;
  const std::int64_t pair = std::int64_t(blockIdx.x) * block + threadIdx.x;
  const std::int64_t d = pair % half, h = pair / half % heads, t = pair / half / heads;
  if (t >= x.extent(0)) return;
  const float cosine = table(position[t], d), sine = table(position[t], d + half);
  const float a = podium::cast<float>(x(t, h, d)), b = podium::cast<float>(x(t, h, d + half));
  y(t, h, d) = podium::cast<real>(a * cosine - b * sine);
  y(t, h, d + half) = podium::cast<real>(b * cosine + a * sine);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t pairs = args.x.size() / 2;
    if (pairs == 0) return;
    podium::launch(turn, dim3(unsigned(podium::ceil_div(pairs, block))), dim3(block), 0, stream, args.x,
                   args.position.data, args.table, args.y);
  }
};
}  // namespace
