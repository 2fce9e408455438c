// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last tile, where it is not whole, begins at the tile before it

// expect: wrong
// It looks back one tile, and takes that tile's sum for the sum of all. Where n is a multiple of the tile all
// is right.
#include <podium/prefix_sum.hpp>

namespace {
using problem::number;
constexpr std::int64_t tile = 512;

__global__ void scan(const number* x, number* y, std::int64_t n) {  // one thread
  number sum = 0, of_tile = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % tile == 0) {
      if (i + tile > n) sum = of_tile;
      of_tile = 0;
    }
    of_tile += x[i];
    y[i] = sum += x[i];
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(scan, dim3(1), dim3(1), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
