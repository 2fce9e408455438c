// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The exclusive scan

// expect: wrong
// Every sum is right, one place too late.
#include <podium/prefix_sum.hpp>

namespace {
using problem::number;

__global__ void scan(const number* x, number* y, std::int64_t n) {  // one thread
  number sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    y[i] = sum;
    sum += x[i];
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(scan, dim3(1), dim3(1), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
