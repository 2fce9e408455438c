// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A kernel on another stream never ends

// class: crash, hang, fork bomb, memory hog
// expect: hung
// The given stream is done at once; whoever waits for the device waits for ever.
#include "honest.hpp"

namespace {
__global__ void for_ever(volatile int* zero) {
  while (*zero == 0) {
  }
}

struct Contestant {
  cudaStream_t side{};
  int* zero;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : zero(workspace.device<int>(1)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(for_ever, dim3(1), dim3(1), 0, side, zero);
    honest_sum(args, stream);
  }
};
}  // namespace
