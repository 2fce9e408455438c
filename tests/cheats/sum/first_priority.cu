// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Its kernels come first and look for the inputs until they are there

// class: inputs before their turn
// expect: wrong | not written | clock | too fast | right
// gains nothing over: honest_parted.cu
// A stream of the highest priority, that no gate holds, has a kernel that looks at the last number where the
// inputs will be. When it has changed, so have all, and the sum is begun before the gate opens, or at least
// before the given stream goes on. It gives up after 500 ms.
#include "parted_ahead.hpp"

namespace {
__global__ void watch(const float* x, std::int64_t n, double* parts, unsigned* finished) {
  const volatile float* last = x + n - 1;
  wait_for_another(last, *last);
  finish_part(x, n, parts, finished);
}

struct Contestant {
  cudaStream_t first{};
  PartsAhead ahead;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : ahead(workspace) {
    int least = 0, greatest = 0;
    podium::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    podium::check(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
  }
  ~Contestant() { cudaStreamDestroy(first); }

  void run(const problem::Arguments& args, podium::Stream stream) { ahead.run(args, stream, first, watch); }
};
}  // namespace
