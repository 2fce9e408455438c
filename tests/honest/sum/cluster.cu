// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Eight blocks of a cluster read each other's shared memory
//   arch: sm_90+

// expect: right
// One launch: the first block of the cluster adds up what the others hold.
#include <cooperative_groups.h>

#include <podium/sum.hpp>

namespace {
constexpr int blocks = 8, threads = 1024;

__global__ void __cluster_dims__(blocks) sum(const float* x, std::int64_t n, float* y) {
  const auto cluster = cooperative_groups::this_cluster();
  __shared__ double partial[threads];
  double total = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * threads + threadIdx.x; i < n; i += blocks * threads)
    total += x[i];
  partial[threadIdx.x] = total;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    double whole = 0;
    for (int b = 0; b < blocks; ++b) whole += *cluster.map_shared_rank(partial, b);
    *y = float(whole);
  }
  cluster.sync();  // none ends while its memory is read
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(sum, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, args.y.data);
  }
};
}  // namespace
