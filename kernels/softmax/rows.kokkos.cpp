// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Kokkos, one team a row
//   author: Podium
#include <podium/kokkos.hpp>
#include <podium/softmax.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    using Policy = Kokkos::TeamPolicy<>;
    const auto x = podium::kokkos::view(args.x);
    const auto y = podium::kokkos::view(args.y);
    const auto cols = args.cols;
    Kokkos::parallel_for(
        "softmax", Policy(podium::kokkos::space(stream), int(args.rows), Kokkos::AUTO),
        KOKKOS_LAMBDA(const Policy::member_type& team) {
          const int i = team.league_rank();
          const auto columns = Kokkos::TeamThreadRange(team, cols);
          float peak = 0;
          double total = 0;
          Kokkos::parallel_reduce(
              columns,
              [&](const std::int64_t j, float& most) {
                const float v = podium::cast<float>(x(i, j));
                most = v > most ? v : most;
              },
              Kokkos::Max<float>(peak));
          Kokkos::parallel_reduce(
              columns,
              [&](const std::int64_t j, double& sum) { sum += expf(podium::cast<float>(x(i, j)) - peak); },
              total);
          Kokkos::parallel_for(columns, [&](const std::int64_t j) {
            y(i, j) = podium::cast<real>(expf(podium::cast<float>(x(i, j)) - peak) / float(total));
          });
        });
  }
};
}  // namespace
