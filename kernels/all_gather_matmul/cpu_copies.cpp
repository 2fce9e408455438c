// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "All of a gathered first, then a matmul" }
#include <podium/all_gather_matmul.hpp>

#include <cstring>
#include <vector>

namespace {
using problem::real;

struct Contestant {
  podium::Everywhere<real> stripes;
  std::vector<real> whole;

  explicit Contestant(const problem::Workload& workload)
      : stripes(podium::Symmetric(workload.team).take<real>(workload.m / workload.ranks * workload.k)),
        whole(static_cast<std::size_t>(workload.m * workload.k)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto& team = args.team;
    const std::int64_t stripe = args.a.size();
    const auto bytes = static_cast<std::size_t>(stripe) * sizeof(real);
    std::memcpy(stripes[team.rank], args.a.data, bytes);
    podium::meet(team);
    for (int rank = 0; rank < team.ranks; ++rank)
      std::memcpy(whole.data() + rank * stripe, stripes[rank], bytes);
    podium::meet(team);  // before the next call writes
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t p = 0; p < args.k; ++p)
          sum += podium::cast<float>(whole[static_cast<std::size_t>(i * args.k + p)]) *
                 podium::cast<float>(args.b(p, j));
        args.c(i, j) = podium::cast<real>(sum);
      }
  }
};
}  // namespace
