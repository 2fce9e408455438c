// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A kernel for each step" }
#include <podium/halo_exchange.hpp>

namespace {
using problem::real;
constexpr int block = 256;

// One element; `above` and `below`: the neighbours' rows, null around the grid.
PODIUM_BOTH real step(const podium::PackedTensor<const real, 2>& x, std::int64_t i, std::int64_t j,
                      const real* above, const real* below) {
  const std::int64_t rows = x.extent(0), cols = x.extent(1);
  const real up = i > 0 ? x(i - 1, j) : above ? above[j] : 0;
  const real down = i + 1 < rows ? x(i + 1, j) : below ? below[j] : 0;
  const real left = j > 0 ? x(i, j - 1) : 0, right = j + 1 < cols ? x(i, j + 1) : 0;
  return (up + down + left + right) / 4;
}

__global__ void __launch_bounds__(block) share(podium::PackedTensor<const real, 2> x, real* edges) {
  const std::int64_t j = std::int64_t(blockIdx.x) * block + threadIdx.x, cols = x.extent(1);
  if (j >= cols) return;
  edges[j] = x(0, j);
  edges[cols + j] = x(x.extent(0) - 1, j);
}

__global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

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
    const auto blocks = [](std::int64_t n) {
      return dim3(static_cast<unsigned>(podium::ceil_div(n, block)));
    };
    const real* above = team.rank > 0 ? edges[team.rank - 1] + args.cols : nullptr;
    const real* below = team.rank + 1 < team.ranks ? edges[team.rank + 1] : nullptr;
    podium::launch(share, blocks(args.cols), dim3(block), 0, stream, args.x, edges[team.rank]);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, team);
    podium::launch(jacobi, blocks(args.x.size()), dim3(block), 0, stream, args.x, args.y, above, below);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, team);  // before the next call writes
  }
};
}  // namespace
