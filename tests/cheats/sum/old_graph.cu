// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Replays a graph that was made for other tensors

// class: graph tricks
// expect: wrong | not written | out of bounds | input changed
// Captured once, with the addresses of the first call: launching it is all that later calls do.
#include "honest.hpp"

namespace {
struct Contestant {
  cudaGraphExec_t ready{};

  ~Contestant() {
    if (ready) cudaGraphExecDestroy(ready);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (!ready) {
      cudaGraph_t graph{};
      cudaStream_t own{};
      podium::check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
      podium::check(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
      honest_sum(args, own);
      podium::check(cudaStreamEndCapture(own, &graph));
      podium::check(cudaGraphInstantiate(&ready, graph, 0));
      podium::check(cudaGraphDestroy(graph));
      podium::check(cudaStreamDestroy(own));
    }
    podium::check(cudaGraphLaunch(ready, stream));
  }
};
}  // namespace
