// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Copies of all ranks' inputs by a kernel each, then a sum" }
#include <podium/all_reduce.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block) copy(real* to, const real* from, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}

__global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

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
    const dim3 blocks(static_cast<unsigned>(podium::ceil_div(args.n, block)));
    podium::launch(copy, blocks, dim3(block), 0, stream, shared[team.rank], args.x.data, args.n);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, team);
    for (int rank = 0; rank < team.ranks; ++rank)
      podium::launch(copy, blocks, dim3(block), 0, stream, all + rank * args.n, shared[rank], args.n);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, team);  // before the next call writes
    podium::launch(add, blocks, dim3(block), 0, stream, args.y, all, team.ranks);
  }
};
}  // namespace
