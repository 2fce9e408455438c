// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps a table of 64 MiB on the device

// expect: right
// A static table that is larger than the caches, made in the constructor.
#include "parts.hpp"

namespace {
constexpr std::size_t entries = std::size_t{8} << 20;

__global__ void fill(double* table) {
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i < entries) table[i] = 1;
}
__global__ void weighted(const float* x, std::int64_t n, const double* table,
                         double* parts) {  // one thread a block
  double total = 0;
  for (std::int64_t i = blockIdx.x; i < n; i += gridDim.x) total += x[i] * table[std::size_t(i) % entries];
  parts[blockIdx.x] = total;
}

struct Contestant {
  double *table, *parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : table(workspace.device<double>(entries)), parts(workspace.device<double>(blocks)) {
    podium::launch(fill, dim3(unsigned(entries / threads)), dim3(threads), 0, stream, table);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(weighted, dim3(blocks), dim3(1), 0, stream, args.x.data, args.n,
                   static_cast<const double*>(table), parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
  }
};
}  // namespace
