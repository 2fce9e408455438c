// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rotation with whatever pairs, row of the table and arithmetic a contestant chooses. A helper: no
// contestant.
#pragma once
#include <podium/rope.hpp>

namespace {
using problem::real;
constexpr int block = 256;

// How: pair(d, half) -> first and second place of a pair; row(position, t); turned(a, b, cosine, sine) ->
// both.
struct Places {
  std::int64_t first, second;
};
struct Pair {
  float first, second;
};

template <class How>
__global__ void __launch_bounds__(block)
    turn(podium::Tensor<const real, 3> x, const int* position, podium::Tensor<const float, 2> table,
         podium::Tensor<real, 3> y) {
  const std::int64_t heads = x.extent(1), half = x.extent(2) / 2;
  const std::int64_t pair = std::int64_t(blockIdx.x) * block + threadIdx.x;
  const std::int64_t d = pair % half, h = pair / half % heads, t = pair / half / heads;
  if (t >= x.extent(0)) return;
  const Places at = How::pair(d, half);
  const std::int64_t row = How::row(position[t], t) % table.extent(0);
  const Pair out =
      How::turned({podium::cast<float>(x(t, h, at.first)), podium::cast<float>(x(t, h, at.second))},
                  table(row, d), table(row, d + half));
  y(t, h, at.first) = podium::cast<real>(out.first);
  y(t, h, at.second) = podium::cast<real>(out.second);
}

struct Right {
  __device__ static Places pair(std::int64_t d, std::int64_t half) { return {d, d + half}; }
  __device__ static std::int64_t row(std::int64_t position, std::int64_t) { return position; }
  __device__ static Pair turned(Pair v, float cosine, float sine) {
    return {v.first * cosine - v.second * sine, v.second * cosine + v.first * sine};
  }
};

template <class How>
struct Turned {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    podium::launch(turn<How>, dim3(unsigned(podium::ceil_div(args.x.size() / 2, block))), dim3(block), 0,
                   stream, args.x, args.position.data, args.table, args.y);
  }
};
}  // namespace
