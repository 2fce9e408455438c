// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two halves in turn, whole parts at once" }
#include <podium/all_gather.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> shared[2];  // in turn: one may still be read while the other is written
  int turn = 0;

  explicit Contestant(const problem::Workload& workload) {
    podium::Symmetric memory(workload.team);
    for (auto& part : shared) part = memory.take<real>(workload.n);
  }

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    if (args.n == 0) return;
    const auto& all = shared[turn ^= 1];
    std::memcpy(all[team.rank], args.x.data, static_cast<std::size_t>(args.n) * sizeof(real));
    podium::meet(team);
    for (int rank = 0; rank < team.ranks; ++rank)
      std::memcpy(&args.y(rank, 0), rank == team.rank ? args.x.data : all[rank],
                  static_cast<std::size_t>(args.n) * sizeof(real));
  }
};
}  // namespace
