// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "All meet before and after" }
#include <podium/reduce_scatter.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> shared;

  explicit Contestant(const problem::Workload& workload)
      : shared(podium::Symmetric(workload.team).take<real>(workload.ranks * workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    if (args.n == 0) return;
    std::memcpy(shared[team.rank], args.x.data, static_cast<std::size_t>(args.ranks * args.n) * sizeof(real));
    podium::meet(team);
    for (std::int64_t i = 0; i < args.n; ++i) {
      float sum = 0;
      for (int rank = 0; rank < team.ranks; ++rank)
        sum += podium::cast<float>(shared[rank][team.rank * args.n + i]);
      args.y(i) = podium::cast<real>(sum);
    }
    podium::meet(team);  // before the next call writes
  }
};
}  // namespace
