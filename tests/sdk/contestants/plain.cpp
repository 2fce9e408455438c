// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A native contestant that plans with structure on the host.
#include <podium/scale.hpp>

#include <vector>

namespace {
struct Contestant {
  std::vector<float> shift;

  explicit Contestant(const problem::Workload& w) {
    podium::require(w.rows <= problem::most_rows, "more than 64 rows");
    for (std::int64_t i = 0; i < w.rows; ++i) shift.push_back(static_cast<float>(w.shift.host(i)));
  }
  void run(const problem::Arguments& a, podium::Stream) {
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < a.cols; ++j)
        a.y(i, j) = podium::cast<problem::real>(podium::cast<float>(a.x(i, j)) * a.factor +
                                                shift[static_cast<std::size_t>(i)]);
  }
};
}  // namespace
