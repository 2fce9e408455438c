// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two halves in turn, which rank 0 alone writes" }
#include <podium/broadcast.hpp>

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
    const auto bytes = static_cast<std::size_t>(args.n) * sizeof(real);
    if (team.rank == 0) std::memcpy(all[0], args.x.data, bytes);
    podium::meet(team);
    std::memcpy(args.y.data, team.rank == 0 ? args.x.data : all[0], bytes);
  }
};
}  // namespace
