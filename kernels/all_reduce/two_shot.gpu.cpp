// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two shots by peer access: each rank adds up its share, then gathers the others'" }
#include <podium/all_reduce.hpp>

namespace {
using problem::real;
constexpr int block = 512;
constexpr unsigned most_blocks = 128;

struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(real);
  real values[size];
};

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
  const int at = static_cast<int>(blockIdx.x);
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = x.extent(0);
  for (int rank = 0; rank < team.ranks; ++rank)
    for (std::int64_t k = share.begin(rank) + first; k < share.begin(rank + 1); k += step) {
      Pack mine;
      for (int e = 0; e < Pack::size; ++e) {
        const std::int64_t i = k * Pack::size + e;
        mine.values[e] = i < n ? x(i) : podium::cast<real>(0.0f);
      }
      inputs[team.rank][k] = mine;
    }
  podium::meet(team, at);
  for (std::int64_t k = share.begin(team.rank) + first; k < share.begin(team.rank + 1); k += step) {
    float values[Pack::size] = {};
    for (int rank = 0; rank < team.ranks; ++rank) {
      const Pack other = inputs[rank][k];
      for (int e = 0; e < Pack::size; ++e) values[e] += podium::cast<float>(other.values[e]);
    }
    Pack sum;
    for (int e = 0; e < Pack::size; ++e) sum.values[e] = podium::cast<real>(values[e]);
    sums[team.rank][k - share.begin(team.rank)] = sum;
  }
  podium::meet(team, at);
  for (int rank = 0; rank < team.ranks; ++rank)
    for (std::int64_t k = share.begin(rank) + first; k < share.begin(rank + 1); k += step) {
      const Pack sum = sums[rank][k - share.begin(rank)];
      for (int e = 0; e < Pack::size; ++e)
        if (const std::int64_t i = k * Pack::size + e; i < n) y(i) = sum.values[e];
    }
}

struct Contestant {
  Share share;
  podium::Everywhere<Pack> inputs, sums;

  explicit Contestant(const problem::Workload& workload) {
    share.packs = podium::ceil_div(workload.n, Pack::size);
    share.each = podium::ceil_div(share.packs, workload.ranks);
    podium::Symmetric memory(workload.team);
    inputs = memory.take<Pack>(share.packs);
    sums = memory.take<Pack>(share.each);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const auto blocks = static_cast<unsigned>(podium::ceil_div(share.each, block));
    podium::launch(all_reduce, dim3(blocks < most_blocks ? blocks : most_blocks), dim3(block), 0, stream,
                   args.x, args.y, args.team, inputs, sums, share);
  }
};
}  // namespace
