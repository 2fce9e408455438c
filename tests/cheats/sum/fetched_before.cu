// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads where the inputs will be before the gate opens

// class: L2 persistence
// expect: right
// gains nothing over: honest_alone.cu
// A stream of its own is not held by the gate and brings those lines into the cache. The judge writes them
// anew and flushes: nothing is gained, and nothing is flagged.
#include "honest.hpp"

namespace {
__global__ void touch(const float* x, std::int64_t n, float* sink) {
  float total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) total += x[i];
  if (total == 12345.678f) *sink = total;  // lest the loads are left out
}

struct Contestant {
  cudaStream_t side{};
  float* sink;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sink(workspace.device<float>(1)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  }
  ~Contestant() { cudaStreamDestroy(side); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(touch, dim3(1), dim3(1024), 0, side, args.x.data, args.n, sink);
    honest_sum(args, stream);
  }
};
}  // namespace
