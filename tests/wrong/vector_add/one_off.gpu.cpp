// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element off by a twentieth

// expect: wrong
// The last one, in a corner of the matrix.
#include "honest.hpp"

namespace {
__global__ void spoil(real* c, std::int64_t size) {
  const float v = podium::cast<float>(c[size - 1]);
  c[size - 1] = podium::cast<real>(v + 0.05f * (1 + fabsf(v)));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.c.data, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.c.data, args.c.size());
  }
};
}  // namespace
