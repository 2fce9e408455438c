// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Blocks add to one number in whatever order

// expect: right
// Atomic additions of doubles give other roundings every time; the last block to finish writes the answer.
#include <podium/sum.hpp>

namespace {
constexpr int block = 128, most_blocks = 64;

__global__ void sum(const float* x, float* y, std::int64_t n, double* total, unsigned* finished) {
  __shared__ double partial[block];
  double own = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x; i < n;
       i += std::int64_t(gridDim.x) * block)
    own += x[i];
  partial[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < block; ++t) own += partial[t];
  atomicAdd(total, own);
  __threadfence();
  if (atomicAdd(finished, 1u) + 1 < gridDim.x) return;
  *y = float(atomicAdd(total, 0.0));
  *total = 0;
  *finished = 0;
}

struct Contestant {
  double* total;
  unsigned* finished;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : total(workspace.device<double>(1)), finished(workspace.device<unsigned>(1)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t blocks = podium::ceil_div(args.n, block);
    podium::launch(sum, dim3(unsigned(blocks < most_blocks ? blocks : most_blocks)), dim3(block), 0, stream,
                   args.x.data, args.y.data, args.n, total, finished);
  }
};
}  // namespace
