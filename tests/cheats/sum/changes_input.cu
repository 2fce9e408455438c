// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right, but the input is changed

// class: input mutation
// expect: input changed
// If the reference were computed afterwards and from this memory, any answer could be made right.
#include "honest.hpp"

namespace {
__global__ void spoil(float* last) { *last += 1; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_sum(args, stream);
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, const_cast<float*>(args.x.data) + args.n - 1);
  }
};
}  // namespace
