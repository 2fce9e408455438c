// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One column with the other sign

// expect: wrong
// A factor all the same, but not the one with a positive diagonal.
#include "columns.hpp"

namespace {
__global__ void negate(podium::Tensor<real, 3> l) {
  const std::int64_t b = l.extent(0) - 1, n = l.extent(1), j = n / 2;
  for (std::int64_t i = j; i < n; ++i) l(b, i, j) = -l(b, i, j);
}

struct Contestant : Factorised<Right> {
  void run(const problem::Arguments& args, podium::Stream stream) {
    Factorised::run(args, stream);
    if (args.batch > 0) podium::launch(negate, dim3(1), dim3(1), 0, stream, args.l);
  }
};
}  // namespace
