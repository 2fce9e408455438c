// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "All of the product, then the sum of all ranks'" }
#include <podium/matmul_reduce_scatter.hpp>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<float> products;

  explicit Contestant(const problem::Workload& workload)
      : products(podium::Symmetric(workload.team).take<float>(workload.m * workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    const std::int64_t rows = args.c.extent(0);
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t p = 0; p < args.k; ++p)
          sum += podium::cast<float>(args.a(i, p)) * podium::cast<float>(args.b(p, j));
        products[team.rank][i * args.n + j] = sum;
      }
    podium::meet(team);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (int rank = 0; rank < team.ranks; ++rank)
          sum += products[rank][(team.rank * rows + i) * args.n + j];
        args.c(i, j) = podium::cast<real>(sum);
      }
    podium::meet(team);  // before the next call writes
  }
};
}  // namespace
