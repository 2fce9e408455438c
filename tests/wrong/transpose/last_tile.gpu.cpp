// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last tile of a row of tiles not turned, where it is not whole

// expect: wrong
// Its elements are all there, but in the order in which they were. Where both extents are multiples of the
// tile all is right.
#include "copy.hpp"

namespace {
constexpr std::int64_t side = 32;

__global__ void __launch_bounds__(block)
    transpose_whole(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y) {
  const std::int64_t e = thread_index(), rows = x.extent(0), cols = x.extent(1);
  if (e >= x.size()) return;
  const std::int64_t i = e / cols, j = e % cols, whole = cols / side * side;
  if (j < whole)
    y(j, i) = x(i, j);
  else  // the columns that are left, as one stretch of y
    y.data[whole * rows + i * (cols - whole) + (j - whole)] = x(i, j);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    podium::launch(transpose_whole, blocks_for(args.x.size()), dim3(block), 0, stream, args.x, args.y);
  }
};
}  // namespace
