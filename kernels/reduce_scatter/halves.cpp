// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two halves in turn" }
#include <podium/reduce_scatter.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> shared[2];  // in turn: one may still be read while the other is written
  int turn = 0;

  explicit Contestant(const problem::Workload& workload) {
    podium::Symmetric memory(workload.team);
    for (auto& part : shared) part = memory.take<real>(workload.ranks * workload.n);
  }

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    if (args.n == 0) return;
    const auto& all = shared[turn ^= 1];
    std::memcpy(all[team.rank], args.x.data, static_cast<std::size_t>(args.ranks * args.n) * sizeof(real));
    podium::meet(team);
    for (std::int64_t i = 0; i < args.n; ++i) {
      float sum = 0;
      for (int rank = 0; rank < team.ranks; ++rank)
        sum += podium::cast<float>(all[rank][team.rank * args.n + i]);
      args.y(i) = podium::cast<real>(sum);
    }
  }
};
}  // namespace
