// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works some 10 µs on its own stream and does not wait for it

// class: side stream, late work
// expect: clock | too fast
// As side_stream, but no longer than the scatter of the judge's clock over one call: the outputs are there
// when they are copied, and the events of the given stream have seen nothing. Several calls behind one gate
// show it, or what memory allows at the most.
#include "quick_sum.hpp"

namespace {
struct Contestant {
  QuickSum sum;
  cudaStream_t side{};
  cudaEvent_t fork{};

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sum(workspace) {
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
    sum(args, side);
  }
};
}  // namespace
