// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up the parts on the CPU, in the order of the stream

// expect: right
// A function of the host is a node of the stream like any other.
#include "parts.hpp"

namespace {
struct Contestant {
  double *parts, *copied;
  float* sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)),
        copied(workspace.pinned<double>(blocks)),
        sum(workspace.pinned<float>(1)) {}
  static void add_up(void* self) {
    auto* c = static_cast<Contestant*>(self);
    double total = 0;
    for (int b = 0; b < blocks; ++b) total += c->copied[b];
    *c->sum = float(total);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::check(cudaMemcpyAsync(copied, parts, blocks * sizeof(double), cudaMemcpyDeviceToHost, stream));
    podium::check(cudaLaunchHostFunc(stream, &add_up, this));
    podium::check(cudaMemcpyAsync(args.y.data, sum, sizeof *sum, cudaMemcpyHostToDevice, stream));
  }
};
}  // namespace
