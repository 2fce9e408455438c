// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Two shots: each rank adds up its share, then gathers the others'" }
#include <podium/all_reduce.hpp>

#include <algorithm>
#include <cstring>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> inputs, sums;

  explicit Contestant(const problem::Workload& workload) {
    podium::Symmetric memory(workload.team);
    inputs = memory.take<real>(workload.n);
    sums = memory.take<real>(share(workload));
  }

  static std::int64_t share(const problem::Workload& of) { return podium::ceil_div(of.n, of.ranks); }

  // The next call writes inputs only after all have read them, and sums only after its first meeting.
  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    const std::int64_t each = share(args);
    const auto begin = [&](int rank) { return std::min(args.n, rank * each); };
    if (args.n > 0)
      std::memcpy(inputs[team.rank], args.x.data, static_cast<std::size_t>(args.n) * sizeof(real));
    podium::meet(team);
    for (std::int64_t i = begin(team.rank); i < begin(team.rank + 1); ++i) {
      float sum = 0;
      for (int rank = 0; rank < team.ranks; ++rank) sum += podium::cast<float>(inputs[rank][i]);
      sums[team.rank][i - begin(team.rank)] = podium::cast<real>(sum);
    }
    podium::meet(team);
    for (int rank = 0; rank < team.ranks; ++rank)
      std::copy(sums[rank], sums[rank] + (begin(rank + 1) - begin(rank)), args.y.data + begin(rank));
  }
};
}  // namespace
