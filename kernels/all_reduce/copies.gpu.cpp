// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Copies of all ranks' inputs by a kernel each, then a sum" }
#include <podium/all_reduce.hpp>

#include "steps.hpp"

namespace {
using problem::real, steps::block;

__global__ void __launch_bounds__(block) add(podium::PackedTensor<real, 1> y, const real* all, int ranks) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x, n = y.extent(0);
  if (i >= n) return;
  float sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += podium::cast<float>(all[rank * n + i]);
  y(i) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<real> shared;
  real* all;  // of every rank, one behind the other

  Contestant(const problem::Workload& workload, podium::Workspace& workspace)
      : shared(podium::Symmetric(workload.team).take<real>(workload.n)),
        all(workspace.device<real>(static_cast<std::size_t>(workload.ranks * workload.n))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const auto& team = args.team;
    steps::copy(shared[team.rank], args.x.data, args.n, stream);
    steps::meet(team, stream);
    for (int rank = 0; rank < team.ranks; ++rank)
      steps::copy(all + rank * args.n, shared[rank], args.n, stream);
    steps::meet(team, stream);  // before the next call writes
    podium::launch(add, steps::blocks(args.n), dim3(block), 0, stream, args.y, all, team.ranks);
  }
};
}  // namespace
