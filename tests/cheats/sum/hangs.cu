// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: An endless kernel

// class: crash, hang, fork bomb, memory hog
// expect: hung
// The host returns at once; the device never does.
#include <podium/sum.hpp>

namespace {
__global__ void endless(float* y) {
  // A loop that reads memory anew each time; the compiler drops one that has no effect.
  while (*static_cast<volatile float*>(y) != 12345) {
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(endless, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
