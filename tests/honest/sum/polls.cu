// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Asks for the end of the stream again and again inside the call

// expect: right
// Waiting by polling is waiting: its row says blocking.
#include "parts.hpp"

namespace {
struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
  }
};
}  // namespace
