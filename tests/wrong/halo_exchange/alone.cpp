// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Zeros in place of the neighbours

// expect: wrong
#include <podium/halo_exchange.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t rows = args.x.extent(0), cols = args.cols;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j)
        args.y(i, j) = ((i > 0 ? args.x(i - 1, j) : 0) + (i + 1 < rows ? args.x(i + 1, j) : 0) +
                        (j > 0 ? args.x(i, j - 1) : 0) + (j + 1 < cols ? args.x(i, j + 1) : 0)) /
                       4;
  }
};
}  // namespace
