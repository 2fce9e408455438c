// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A matmul of tiles, then the sum of all ranks' products" }
#include <podium/matmul_reduce_scatter.hpp>

#include "../all_gather_matmul/tile_product.hpp"
#include "../all_reduce/steps.hpp"

namespace {
using problem::real, steps::block;

__global__ void __launch_bounds__(tiles::side* tiles::side)
    multiply(podium::PackedTensor<const real, 2> a, podium::PackedTensor<const real, 2> b, podium::Team team,
             podium::Everywhere<float> products) {
  const real* const first = a.data;
  const std::int64_t k = a.extent(1);
  const float sum = tiles::product<real>([=](std::int64_t i) { return first + i * k; }, b, a.extent(0));
  const std::int64_t i = tiles::row(), j = tiles::col();
  if (i < a.extent(0) && j < b.extent(1)) products[team.rank][i * b.extent(1) + j] = sum;
}

__global__ void __launch_bounds__(block)
    add(podium::PackedTensor<real, 2> c, podium::Team team, podium::Everywhere<float> products) {
  const std::int64_t at = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (at >= c.size()) return;
  float sum = 0;
  for (int rank = 0; rank < team.ranks; ++rank) sum += products[rank][team.rank * c.size() + at];
  c(at / c.extent(1), at % c.extent(1)) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<float> products;

  explicit Contestant(const problem::Workload& workload)
      : products(podium::Symmetric(workload.team).take<float>(workload.m * workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(multiply, tiles::grid(args.m, args.n), dim3(tiles::side, tiles::side), 0, stream, args.a,
                   args.b, args.team, products);
    steps::meet(args.team, stream);
    podium::launch(add, steps::blocks(args.c.size()), dim3(block), 0, stream, args.c, args.team, products);
    steps::meet(args.team, stream);  // before the next call writes
  }
};
}  // namespace
