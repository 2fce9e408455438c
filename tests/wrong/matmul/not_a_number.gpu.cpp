// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: NaN in one element

// expect: wrong
// The last element is NaN, all others are right.
#include "honest.hpp"

namespace {
__global__ void spoil(real* c, std::int64_t size) { c[size - 1] = podium::cast<real>(nanf("")); }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest(args, args.c.data, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.c.data, args.c.size());
  }
};
}  // namespace
