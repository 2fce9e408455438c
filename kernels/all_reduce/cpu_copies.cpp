// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Copies of all ranks' inputs, then a sum" }
#include <podium/all_reduce.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> shared;
  real* all;  // of every rank, one behind the other

  Contestant(const problem::Workload& workload, podium::Workspace& workspace)
      : shared(podium::Symmetric(workload.team).take<real>(workload.n)),
        all(workspace.device<real>(static_cast<std::size_t>(workload.ranks * workload.n))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    const auto bytes = static_cast<std::size_t>(args.n) * sizeof(real);
    if (bytes > 0) std::memcpy(shared[team.rank], args.x.data, bytes);
    podium::meet(team);
    for (int rank = 0; rank < team.ranks; ++rank)
      if (bytes > 0) std::memcpy(all + rank * args.n, shared[rank], bytes);
    podium::meet(team);  // nobody reads any more what the next call writes
    for (std::int64_t i = 0; i < args.n; ++i) {
      float sum = 0;
      for (int rank = 0; rank < team.ranks; ++rank) sum += podium::cast<float>(all[rank * args.n + i]);
      args.y(i) = podium::cast<real>(sum);
    }
  }
};
}  // namespace
