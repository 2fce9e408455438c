// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A kernel for each step, of single elements" }
#include <podium/all_gather.hpp>

#include "../all_reduce/steps.hpp"

namespace {
using problem::real, steps::block;

__global__ void __launch_bounds__(block)
    gather(podium::PackedTensor<real, 2> y, podium::Team team, podium::Everywhere<real> shared) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x, n = y.extent(1);
  if (i >= n) return;
  for (int rank = 0; rank < team.ranks; ++rank) y(rank, i) = shared[rank][i];
}

struct Contestant {
  podium::Everywhere<real> shared;

  explicit Contestant(const problem::Workload& workload)
      : shared(podium::Symmetric(workload.team).take<real>(workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    steps::copy(shared[args.team.rank], args.x.data, args.n, stream);
    steps::meet(args.team, stream);
    podium::launch(gather, steps::blocks(args.n), dim3(block), 0, stream, args.y, args.team, shared);
    steps::meet(args.team, stream);  // before the next call writes
  }
};
}  // namespace
