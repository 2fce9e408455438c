// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The parted sum, against which those are held that start its first part early

#include "parted_sum.hpp"

namespace {
__global__ void parts_of(const float* x, std::int64_t n, double* parts) { add_part(x, n, parts); }
__global__ void whole_of(const double* parts, float* y) { add_parts(parts, y); }

struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(parted_blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(parts_of, dim3(parted_blocks), dim3(parted_threads), 0, stream, args.x.data, args.n,
                   parts);
    podium::launch(whole_of, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
  }
};
}  // namespace
