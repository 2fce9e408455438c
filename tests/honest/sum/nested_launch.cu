// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A kernel that launches the others
//   needs: [cudadevrt]

// expect: right
// Dynamic parallelism: the host enqueues one thread, whose grids, one behind the other in the stream of its
// launch's tail, belong to it: it has not ended before they have.
#include "parts.hpp"

namespace {
__global__ void both(const float* x, std::int64_t n, double* parts, float* y) {
  part_sums<<<blocks, threads, 0, cudaStreamTailLaunch>>>(x, n, parts);
  whole_sum<<<1, 1, 0, cudaStreamTailLaunch>>>(parts, y);
}

struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    both<<<1, 1, 0, stream>>>(args.x.data, args.n, parts, args.y.data);
    podium::check(cudaGetLastError());
  }
};
}  // namespace
