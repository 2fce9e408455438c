// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 writes where rank 0 has its result

// expect: crashed
// By the address that rank 0 tells it, which leads nowhere in its own process.
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto& team = args.team;
    auto* const told = reinterpret_cast<real**>(shared[0][1]);
    Honest::run(args, stream);
    if (args.n < 8) return;
    podium::meet(team);
    if (team.rank == 0) *told = args.y.data;
    podium::meet(team);
    if (team.rank == 1) **told = podium::cast<real>(0.0f);
  }
};
}  // namespace
