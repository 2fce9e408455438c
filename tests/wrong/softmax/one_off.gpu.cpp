// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element off by a twentieth

// expect: wrong
// The last one, in a corner of the matrix.
#include "honest.hpp"

namespace {
__global__ void spoil(real* y, std::int64_t size) {
  y[size - 1] = podium::cast<real>(1.05f * podium::cast<float>(y[size - 1]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.y.data, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data, args.y.size());
  }
};
}  // namespace
