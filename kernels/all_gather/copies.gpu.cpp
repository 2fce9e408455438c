// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A kernel for each step, of single elements" }
#include <podium/all_gather.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block) copy(real* to, const real* from, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}

__global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

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
    const auto blocks = [](std::int64_t n) {
      return dim3(static_cast<unsigned>(podium::ceil_div(n, block)));
    };
    const std::int64_t count = args.n;
    podium::launch(copy, blocks(count), dim3(block), 0, stream, shared[args.team.rank], args.x.data, count);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, args.team);
    podium::launch(gather, blocks(args.n), dim3(block), 0, stream, args.y, args.team, shared);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream,
                   args.team);  // before the next call writes
  }
};
}  // namespace
