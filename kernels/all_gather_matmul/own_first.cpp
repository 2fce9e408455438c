// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "The own stripe first, others' where they lie" }
#include <podium/all_gather_matmul.hpp>

#include <cstring>
#include <vector>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> stripes;
  std::vector<float> row;

  explicit Contestant(const problem::Workload& workload)
      : stripes(podium::Symmetric(workload.team).take<real>(workload.m / workload.ranks * workload.k)),
        row(static_cast<std::size_t>(workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    std::memcpy(stripes[team.rank], args.a.data, static_cast<std::size_t>(args.a.size()) * sizeof(real));
    multiply(args, args.a.data, team.rank);
    podium::meet(team);
    for (int step = 1; step < team.ranks; ++step) {
      const int rank = (team.rank + step) % team.ranks;
      multiply(args, stripes[rank], rank);
    }
    podium::meet(team);  // before the next call writes
  }

  void multiply(const problem::Arguments& args, const real* a, int rank) {
    const std::int64_t rows = args.a.extent(0);
    for (std::int64_t i = 0; i < rows; ++i) {
      row.assign(row.size(), 0);
      for (std::int64_t p = 0; p < args.k; ++p) {
        const float factor = podium::cast<float>(a[i * args.k + p]);
        for (std::int64_t j = 0; j < args.n; ++j)
          row[static_cast<std::size_t>(j)] += factor * podium::cast<float>(args.b(p, j));
      }
      for (std::int64_t j = 0; j < args.n; ++j)
        args.c(rank * rows + i, j) = podium::cast<real>(row[static_cast<std::size_t>(j)]);
    }
  }
};
}  // namespace
