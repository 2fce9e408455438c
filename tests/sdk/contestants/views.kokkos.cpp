// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant in Kokkos: two-dimensional range over unmanaged Views.
#include <podium/kokkos.hpp>
#include <podium/scale.hpp>

namespace {
struct Contestant {
  Contestant() { podium::require(Kokkos::is_initialized(), "Kokkos is to be initialised by now"); }
  void run(const problem::Arguments& a, podium::Stream stream) {
    using Policy = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
    const auto x = podium::kokkos::view(a.x);
    const auto y = podium::kokkos::view(a.y);
    const auto shift = podium::kokkos::view(a.shift.device);
    const float factor = a.factor;
    Kokkos::parallel_for(
        Policy(podium::kokkos::space(stream), {0, 0}, {a.rows, a.cols}), KOKKOS_LAMBDA(int i, int j) {
          y(i, j) = podium::cast<problem::real>(podium::cast<float>(x(i, j)) * factor +
                                                podium::cast<float>(shift(i)));
        });
    podium::kokkos::space(stream).fence();
  }
};
}  // namespace
