// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One kernel: edges sent first and computed last" }
#include <podium/halo_exchange.hpp>

#include "step.hpp"

namespace {
using halo::step, problem::real;
constexpr int block = 256;
constexpr unsigned most_blocks = 264;

// Each block sends and computes columns of its own of both edges, so that only blocks of one number wait for
// each other; what lies between is computed meanwhile. Two places in turn, by the count of meetings.
__global__ void __launch_bounds__(block)
    jacobi(podium::PackedTensor<const real, 2> x, podium::PackedTensor<real, 2> y, podium::Team team,
           podium::Everywhere<real> edges) {
  const int at = static_cast<int>(blockIdx.x);
  const std::int64_t rows = x.extent(0), cols = x.extent(1);
  const std::int64_t half = team.meetings(team.rank).count[at] % 2 ? 2 * cols : 0;
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     all = std::int64_t(gridDim.x) * block;
  real* const own = edges[team.rank] + half;
  for (std::int64_t j = first; j < cols; j += all) own[j] = x(0, j), own[cols + j] = x(rows - 1, j);
  for (std::int64_t k = first; k < (rows - 2) * cols; k += all)
    y(k / cols + 1, k % cols) = step(x, k / cols + 1, k % cols, nullptr, nullptr);
  podium::meet(team, at);
  const real* above = team.rank > 0 ? edges[team.rank - 1] + half + cols : nullptr;
  const real* below = team.rank + 1 < team.ranks ? edges[team.rank + 1] + half : nullptr;
  for (std::int64_t j = first; j < cols; j += all) {
    y(0, j) = step(x, 0, j, above, below);
    if (rows > 1) y(rows - 1, j) = step(x, rows - 1, j, above, below);
  }
}

struct Contestant {
  podium::Everywhere<real> edges;  // of each rank, its first and its last row, twice

  explicit Contestant(const problem::Workload& workload)
      : edges(podium::Symmetric(workload.team).take<real>(4 * workload.cols)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = static_cast<unsigned>(podium::ceil_div(args.x.size(), block));
    podium::launch(jacobi, dim3(blocks < most_blocks ? blocks : most_blocks), dim3(block), 0, stream, args.x,
                   args.y, args.team, edges);
  }
};
}  // namespace
