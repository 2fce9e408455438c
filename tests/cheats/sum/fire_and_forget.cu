// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A kernel fires the one that works, and forgets it
//   needs: [cudadevrt]

// class: side stream, late work
// expect: right
// gains nothing over: honest_alone.cu
// What a kernel launches belongs to it, whatever stream it names on the device: the given stream goes on when
// that has ended, too.
#include "honest.hpp"

namespace {
__global__ void fire(const float* x, float* y, std::int64_t n) {
  honest_kernel<<<1, honest_threads, 0, cudaStreamFireAndForget>>>(x, y, n);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(fire, dim3(1), dim3(1), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
