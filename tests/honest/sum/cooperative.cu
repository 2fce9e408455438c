// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One cooperative launch that waits for its whole grid

// expect: right
// All blocks are resident and meet at a barrier.
#include <cooperative_groups.h>

#include "parts.hpp"

namespace {
__global__ void both(const float* x, std::int64_t n, double* parts, float* y) {
  add_part(x, n, parts);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) add_parts(parts, y);
}

struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    const float* x = args.x.data;
    float* y = args.y.data;
    std::int64_t n = args.n;
    void* arguments[] = {&x, &n, &parts, &y};
    podium::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(both), dim3(blocks), dim3(threads),
                                              arguments, 0, stream));
  }
};
}  // namespace
