// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One kernel by peer access, 16 bytes at a time" }
#include <podium/reduce_scatter.hpp>

namespace {
using problem::real;
constexpr int block = 512;
constexpr unsigned most_blocks = 128;

struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(real);
  real values[size];
};

// The two halves of the shared memory are used in turn, by the count of this block's meetings: one may still
// be read while the other is written. Parts begin at whole packs.
__global__ void __launch_bounds__(block)
    exchange(podium::PackedTensor<const real, 2> x, podium::PackedTensor<real, 1> y, podium::Team team,
             podium::Everywhere<Pack> shared, std::int64_t packs) {
  const int at = static_cast<int>(blockIdx.x);
  const std::int64_t half = team.meetings(team.rank).count[at] % 2 ? team.ranks * packs : 0;
  const std::int64_t first = std::int64_t(blockIdx.x) * block + threadIdx.x,
                     step = std::int64_t(gridDim.x) * block, n = y.extent(0);
  for (int part = 0; part < team.ranks; ++part)
    for (std::int64_t k = first; k < packs; k += step) {
      Pack mine;
      for (int e = 0; e < Pack::size; ++e) {
        const std::int64_t i = k * Pack::size + e;
        mine.values[e] = i < n ? x(part, i) : podium::cast<real>(0.0f);
      }
      shared[team.rank][half + part * packs + k] = mine;
    }
  podium::meet(team, at);
  for (std::int64_t k = first; k < packs; k += step) {
    float sums[Pack::size] = {};
    for (int rank = 0; rank < team.ranks; ++rank) {
      const Pack other = shared[rank][half + team.rank * packs + k];
      for (int e = 0; e < Pack::size; ++e) sums[e] += podium::cast<float>(other.values[e]);
    }
    for (int e = 0; e < Pack::size; ++e)
      if (const std::int64_t i = k * Pack::size + e; i < n) y(i) = podium::cast<real>(sums[e]);
  }
}

struct Contestant {
  std::int64_t packs;
  podium::Everywhere<Pack> shared;

  explicit Contestant(const problem::Workload& workload)
      : packs(podium::ceil_div(workload.n, Pack::size)),
        shared(podium::Symmetric(workload.team).take<Pack>(workload.ranks * 2 * packs)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const auto blocks = static_cast<unsigned>(podium::ceil_div(packs, block));
    podium::launch(exchange, dim3(blocks < most_blocks ? blocks : most_blocks), dim3(block), 0, stream,
                   args.x, args.y, args.team, shared, packs);
  }
};
}  // namespace
