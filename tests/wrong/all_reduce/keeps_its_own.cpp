// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Each rank tells the others what it had before

// expect: wrong
// Each adds what the others had in the call before.
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto& team = args.team;
    const auto& all = shared[0];
    podium::meet(team);
    for (std::int64_t i = 0; i < args.n; ++i) {
      float sum = podium::cast<float>(args.x(i));
      for (int rank = 0; rank < team.ranks; ++rank)
        if (rank != team.rank) sum += podium::cast<float>(all[rank][i]);
      args.y(i) = podium::cast<real>(sum);
    }
    podium::meet(team);
    if (args.n > 0) std::memcpy(all[team.rank], args.x.data, static_cast<std::size_t>(args.n) * sizeof(real));
  }
};
}  // namespace
