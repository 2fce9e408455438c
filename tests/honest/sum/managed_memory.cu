// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its parts in managed memory

// expect: right
// Memory that moves between host and device by itself: written on the host once, used on the device since.
#include "parts.hpp"

namespace {
struct Contestant {
  double* parts = nullptr;

  Contestant() {
    podium::check(cudaMallocManaged(reinterpret_cast<void**>(&parts), blocks * sizeof(double)));
    for (int b = 0; b < blocks; ++b) parts[b] = 0;
  }
  ~Contestant() { cudaFree(parts); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
  }
};
}  // namespace
