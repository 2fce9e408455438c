// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Infinity

// class: NaN wildcard
// expect: wrong
// Infinity over infinity is not a number, and a relative error of that exceeds no limit.
#include "honest.hpp"

namespace {
__global__ void infinite(float* y) { *y = INFINITY; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(infinite, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
