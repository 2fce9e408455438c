// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One kernel by peer access, 16 bytes at a time" }
#include <podium/broadcast.hpp>

#include "../all_reduce/packs.hpp"

namespace {
using problem::real, pack::block;
using Pack = pack::Pack<real>;

// Parts begin at whole packs.
__global__ void __launch_bounds__(block)
    exchange(podium::PackedTensor<const real, 1> x, podium::PackedTensor<real, 1> y, podium::Team team,
             podium::Everywhere<Pack> shared, std::int64_t packs) {
  const std::int64_t half = pack::half(team, packs);
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = y.extent(0);
  if (team.rank == 0)
    for (std::int64_t k = first; k < packs; k += step) shared[team.rank][half + k] = pack::load(x.data, k, n);
  podium::meet(team, static_cast<int>(blockIdx.x));
  for (std::int64_t k = first; k < packs; k += step) pack::store(shared[0][half + k], y.data, k, n);
}

struct Contestant {
  std::int64_t packs;
  podium::Everywhere<Pack> shared;

  explicit Contestant(const problem::Workload& workload)
      : packs(pack::count_of<real>(workload.n)),
        shared(podium::Symmetric(workload.team).take<Pack>(2 * packs)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(exchange, pack::grid(packs), dim3(block), 0, stream, args.x, args.y, args.team, shared,
                   packs);
  }
};
}  // namespace
