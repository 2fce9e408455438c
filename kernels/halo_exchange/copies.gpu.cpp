// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A kernel for each step" }
#include <podium/halo_exchange.hpp>

#include "../all_reduce/steps.hpp"
#include "step.hpp"

namespace {
using halo::step, problem::real, steps::block;

__global__ void __launch_bounds__(block) share(podium::PackedTensor<const real, 2> x, real* edges) {
  const std::int64_t j = std::int64_t(blockIdx.x) * block + threadIdx.x, cols = x.extent(1);
  if (j >= cols) return;
  edges[j] = x(0, j);
  edges[cols + j] = x(x.extent(0) - 1, j);
}

__global__ void __launch_bounds__(block)
    jacobi(podium::PackedTensor<const real, 2> x, podium::PackedTensor<real, 2> y, const real* above,
           const real* below) {
  const std::int64_t at = std::int64_t(blockIdx.x) * block + threadIdx.x, cols = x.extent(1);
  if (at < x.size()) y(at / cols, at % cols) = step(x, at / cols, at % cols, above, below);
}

struct Contestant {
  podium::Everywhere<real> edges;  // of each rank, its first and its last row

  explicit Contestant(const problem::Workload& workload)
      : edges(podium::Symmetric(workload.team).take<real>(2 * workload.cols)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto& team = args.team;
    const real* above = team.rank > 0 ? edges[team.rank - 1] + args.cols : nullptr;
    const real* below = team.rank + 1 < team.ranks ? edges[team.rank + 1] : nullptr;
    podium::launch(share, steps::blocks(args.cols), dim3(block), 0, stream, args.x, edges[team.rank]);
    steps::meet(team, stream);
    podium::launch(jacobi, steps::blocks(args.x.size()), dim3(block), 0, stream, args.x, args.y, above,
                   below);
    steps::meet(team, stream);  // before the next call writes
  }
};
}  // namespace
