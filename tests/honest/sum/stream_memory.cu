// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Allocates and frees on the stream in every call

// expect: right
// Memory from the driver's pool, in the order of the stream.
#include "parts.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    double* parts = nullptr;
    podium::check(cudaMallocAsync(reinterpret_cast<void**>(&parts), blocks * sizeof(double), stream));
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
    podium::check(cudaFreeAsync(parts, stream));
  }
};
}  // namespace
