// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Others' stripes first, each to where it is added up" }
#include <podium/matmul_reduce_scatter.hpp>

#include <algorithm>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<float> products;

  explicit Contestant(const problem::Workload& workload)
      : products(podium::Symmetric(workload.team).take<float>(workload.m * workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    const std::int64_t rows = args.c.extent(0), stripe = rows * args.n;
    for (int step = 1; step <= team.ranks; ++step) {
      const int rank = (team.rank + step) % team.ranks;
      for (std::int64_t i = 0; i < rows; ++i) {
        float* const sums = products[rank] + team.rank * stripe + i * args.n;
        std::fill(sums, sums + args.n, 0.0f);
        for (std::int64_t p = 0; p < args.k; ++p) {
          const float factor = podium::cast<float>(args.a(rank * rows + i, p));
          for (std::int64_t j = 0; j < args.n; ++j) sums[j] += factor * podium::cast<float>(args.b(p, j));
        }
      }
    }
    podium::meet(team);
    for (std::int64_t at = 0; at < stripe; ++at) {
      float sum = 0;
      for (int rank = 0; rank < team.ranks; ++rank) sum += products[team.rank][rank * stripe + at];
      args.c.data[at] = podium::cast<real>(sum);
    }
    podium::meet(team);  // before the next call writes
  }
};
}  // namespace
