// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes before the gate opens, and keeps what it saw

// class: inputs before their turn
// expect: wrong | not written
// A stream of its own is not held by the gate, so the sum is made at once; the given stream only hands it
// over. What lies where the inputs will be is not the inputs.
#include "honest.hpp"

namespace {
struct Contestant {
  cudaStream_t side{};
  float* kept;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : kept(workspace.device<float>(1)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  }
  ~Contestant() { cudaStreamDestroy(side); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, side, args.x.data, kept, args.n);
    podium::check(cudaMemcpyAsync(args.y.data, kept, sizeof(float), cudaMemcpyDefault, stream));
  }
};
}  // namespace
