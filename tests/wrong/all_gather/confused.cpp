// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Parts in the order of the distance

// expect: wrong
// Each begins with its own.
#include <podium/all_gather.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> shared;

  explicit Contestant(const problem::Workload& workload)
      : shared(podium::Symmetric(workload.team).take<real>(workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    if (args.n == 0) return;
    std::memcpy(shared[team.rank], args.x.data, static_cast<std::size_t>(args.x.size()) * sizeof(real));
    podium::meet(team);
    for (int rank = 0; rank < team.ranks; ++rank)
      for (std::int64_t i = 0; i < args.n; ++i) args.y(rank, i) = shared[(team.rank + rank) % team.ranks][i];
    podium::meet(team);
  }
};
}  // namespace
