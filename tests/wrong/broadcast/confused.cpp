// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Each keeps its own

// expect: wrong
// Rank 0 is right.
#include <podium/broadcast.hpp>

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
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = shared[team.rank][i];
    podium::meet(team);
  }
};
}  // namespace
