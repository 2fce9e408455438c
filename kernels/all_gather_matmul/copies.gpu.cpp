// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "a gathered by a kernel, then a matmul of tiles" }
#include <podium/all_gather_matmul.hpp>

#include "../all_reduce/steps.hpp"
#include "tile_product.hpp"

namespace {
using problem::real;

__global__ void __launch_bounds__(tiles::side* tiles::side)
    multiply(const real* a, podium::PackedTensor<const real, 2> b, podium::PackedTensor<real, 2> c) {
  const std::int64_t k = b.extent(0);
  const float sum = tiles::product<real>([=](std::int64_t i) { return a + i * k; }, b, c.extent(0));
  const std::int64_t i = tiles::row(), j = tiles::col();
  if (i < c.extent(0) && j < c.extent(1)) c(i, j) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<real> stripes;
  real* whole;

  Contestant(const problem::Workload& workload, podium::Workspace& workspace)
      : stripes(podium::Symmetric(workload.team).take<real>(workload.m / workload.ranks * workload.k)),
        whole(workspace.device<real>(static_cast<std::size_t>(workload.m * workload.k))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t stripe = args.a.size();
    steps::copy(stripes[args.team.rank], args.a.data, stripe, stream);
    steps::meet(args.team, stream);
    for (int rank = 0; rank < args.team.ranks; ++rank)
      steps::copy(whole + rank * stripe, stripes[rank], stripe, stream);
    steps::meet(args.team, stream);  // before the next call writes
    podium::launch(multiply, tiles::grid(args.m, args.n), dim3(tiles::side, tiles::side), 0, stream, whole,
                   args.b, args.c);
  }
};
}  // namespace
