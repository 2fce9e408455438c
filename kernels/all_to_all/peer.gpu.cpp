// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One kernel by peer access, 16 bytes at a time" }
#include <podium/all_to_all.hpp>

#include "../all_reduce/packs.hpp"

namespace {
using problem::real, pack::block;
using Pack = pack::Pack<real>;

// Parts begin at whole packs.
__global__ void __launch_bounds__(block)
    exchange(podium::PackedTensor<const real, 2> x, podium::PackedTensor<real, 2> y, podium::Team team,
             podium::Everywhere<Pack> shared, std::int64_t packs) {
  const std::int64_t half = pack::half(team, team.ranks * packs);
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = y.extent(1);
  for (int part = 0; part < team.ranks; ++part)
    for (std::int64_t k = first; k < packs; k += step)
      shared[team.rank][half + part * packs + k] = pack::load(x.data + part * n, k, n);
  podium::meet(team, static_cast<int>(blockIdx.x));
  for (int rank = 0; rank < team.ranks; ++rank)
    for (std::int64_t k = first; k < packs; k += step)
      pack::store(shared[rank][half + team.rank * packs + k], y.data + rank * n, k, n);
}

struct Contestant {
  std::int64_t packs;
  podium::Everywhere<Pack> shared;

  explicit Contestant(const problem::Workload& workload)
      : packs(pack::count_of<real>(workload.n)),
        shared(podium::Symmetric(workload.team).take<Pack>(workload.ranks * 2 * packs)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(exchange, pack::grid(packs), dim3(block), 0, stream, args.x, args.y, args.team, shared,
                   packs);
  }
};
}  // namespace
