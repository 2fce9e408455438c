// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One shot by peer access: each block reads its part of all ranks' inputs" }
#include <podium/all_reduce.hpp>

#include "packs.hpp"

namespace {
using problem::real, pack::block;
using Pack = pack::Pack<real>;

__global__ void __launch_bounds__(block)
    all_reduce(podium::PackedTensor<const real, 1> x, podium::PackedTensor<real, 1> y, podium::Team team,
               podium::Everywhere<Pack> shared, std::int64_t packs) {
  const std::int64_t half = pack::half(team, packs);
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = x.extent(0);
  for (std::int64_t k = first; k < packs; k += step) shared[team.rank][half + k] = pack::load(x.data, k, n);
  podium::meet(team, static_cast<int>(blockIdx.x));
  for (std::int64_t k = first; k < packs; k += step)
    pack::store(pack::sum_of(team, shared, half + k), y.data, k, n);
}

struct Contestant {
  std::int64_t packs;
  podium::Everywhere<Pack> shared;

  explicit Contestant(const problem::Workload& workload)
      : packs(pack::count_of<real>(workload.n)),
        shared(podium::Symmetric(workload.team).take<Pack>(2 * packs)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(all_reduce, pack::grid(packs), dim3(block), 0, stream, args.x, args.y, args.team, shared,
                   packs);
  }
};
}  // namespace
