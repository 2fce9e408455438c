// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element twice, another lost
//   when: n <= 16384

// expect: wrong
// In order, and every element is one of the input's.
#include "honest.hpp"

namespace {
__global__ void spoil(float* y, std::int64_t n) {
  if (n > 1) y[n / 2] = y[n / 2 - 1];
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.y.data, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data, args.n);
  }
};
}  // namespace
