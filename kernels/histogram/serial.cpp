// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, one table
//   author: Podium
#include <podium/histogram.hpp>

#include <algorithm>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    std::fill_n(args.y.data, args.bins, 0);
    for (std::int64_t i = 0; i < args.n; ++i) ++args.y(args.x(i));
  }
};
}  // namespace
