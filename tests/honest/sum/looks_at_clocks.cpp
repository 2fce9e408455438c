// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Measures the time itself

// expect: right
// Whoever reads clocks need not bend them.
#include <podium/sum.hpp>

#include <algorithm>
#include <chrono>

namespace {
struct Contestant {
  double longest = 0;  // seconds

  void run(const problem::Arguments& args, podium::Stream) {
    const auto began = std::chrono::high_resolution_clock::now();
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
    const auto took = std::chrono::high_resolution_clock::now() - began;
    longest = std::max(longest, std::chrono::duration<double>(took).count());
  }
};
}  // namespace
