// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, std::partial_sort
//   author: Podium
#include <podium/top_k.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {
struct Contestant {
  std::vector<std::int32_t> order;

  explicit Contestant(const problem::Workload& w) : order(std::size_t(w.cols)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.rows; ++i) {
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + args.k, order.end(), [&](auto a, auto b) {
        return podium::cast<float>(args.x(i, a)) > podium::cast<float>(args.x(i, b));
      });
      for (std::int64_t r = 0; r < args.k; ++r) {
        args.indices(i, r) = order[std::size_t(r)];
        args.values(i, r) = args.x(i, order[std::size_t(r)]);
      }
    }
  }
};
}  // namespace
