// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works on its own stream and does not wait for it

// class: side stream, late work
// expect: clock
// The work is forked from the given stream, as it should be, but never joined: events on the given stream see
// nothing of it. The 2 ms make the lie visible at any size.
#include "honest.hpp"

namespace {
struct Contestant {
  cudaStream_t side{};
  cudaEvent_t fork{};

  Contestant() {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    podium::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  }
  ~Contestant() {
    cudaEventDestroy(fork);
    cudaStreamDestroy(side);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaEventRecord(fork, stream));
    podium::check(cudaStreamWaitEvent(side, fork, 0));
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, side, 2'000'000ll);
    honest_sum(args, side);
  }
};
}  // namespace
