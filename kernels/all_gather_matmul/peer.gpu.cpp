// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A matmul of tiles that reads others' stripes where they lie" }
#include <podium/all_gather_matmul.hpp>

#include "../all_reduce/steps.hpp"
#include "tile_product.hpp"

namespace {
using problem::real;

__global__ void __launch_bounds__(tiles::side* tiles::side)
    multiply(podium::Everywhere<real> stripes, std::int64_t rows, podium::PackedTensor<const real, 2> b,
             podium::PackedTensor<real, 2> c) {
  const std::int64_t k = b.extent(0);
  const float sum = tiles::product<real>(
      [=](std::int64_t i) { return stripes[static_cast<int>(i / rows)] + i % rows * k; }, b, c.extent(0));
  const std::int64_t i = tiles::row(), j = tiles::col();
  if (i < c.extent(0) && j < c.extent(1)) c(i, j) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<real> stripes;

  explicit Contestant(const problem::Workload& workload)
      : stripes(podium::Symmetric(workload.team).take<real>(workload.m / workload.ranks * workload.k)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t stripe = args.a.size();
    steps::copy(stripes[args.team.rank], args.a.data, stripe, stream);
    steps::meet(args.team, stream);
    podium::launch(multiply, tiles::grid(args.m, args.n), dim3(tiles::side, tiles::side), 0, stream, stripes,
                   args.a.extent(0), args.b, args.c);
    steps::meet(args.team, stream);  // before the next call writes
  }
};
}  // namespace
