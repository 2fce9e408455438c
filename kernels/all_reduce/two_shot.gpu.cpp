// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two shots by peer access: each rank adds up its share, then gathers the others'" }
#include <podium/all_reduce.hpp>

#include "packs.hpp"

namespace {
using problem::real, pack::block;
using Pack = pack::Pack<real>;

// Share `rank` of the packs that this block deals with: the same packs in every phase, so that only blocks of
// one number wait for each other.
struct Share {
  std::int64_t each, packs;
  PODIUM_BOTH std::int64_t begin(int rank) const { return rank * each < packs ? rank * each : packs; }
};

// What a call writes into `inputs` all others have read before the second meeting of the call before; `sums`
// are written after the first meeting, to which each comes when it has gathered.
__global__ void __launch_bounds__(block)
    all_reduce(podium::PackedTensor<const real, 1> x, podium::PackedTensor<real, 1> y, podium::Team team,
               podium::Everywhere<Pack> inputs, podium::Everywhere<Pack> sums, Share share) {
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = x.extent(0);
  for (int rank = 0; rank < team.ranks; ++rank)
    for (std::int64_t k = share.begin(rank) + first; k < share.begin(rank + 1); k += step)
      inputs[team.rank][k] = pack::load(x.data, k, n);
  podium::meet(team, static_cast<int>(blockIdx.x));
  for (std::int64_t k = share.begin(team.rank) + first; k < share.begin(team.rank + 1); k += step)
    sums[team.rank][k - share.begin(team.rank)] = pack::sum_of(team, inputs, k);
  podium::meet(team, static_cast<int>(blockIdx.x));
  for (int rank = 0; rank < team.ranks; ++rank)
    for (std::int64_t k = share.begin(rank) + first; k < share.begin(rank + 1); k += step)
      pack::store(sums[rank][k - share.begin(rank)], y.data, k, n);
}

struct Contestant {
  Share share;
  podium::Everywhere<Pack> inputs, sums;

  explicit Contestant(const problem::Workload& workload) {
    share.packs = pack::count_of<real>(workload.n);
    share.each = podium::ceil_div(share.packs, workload.ranks);
    podium::Symmetric memory(workload.team);
    inputs = memory.take<Pack>(share.packs);
    sums = memory.take<Pack>(share.each);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    podium::launch(all_reduce, pack::grid(share.each), dim3(block), 0, stream, args.x, args.y, args.team,
                   inputs, sums, share);
  }
};
}  // namespace
