// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Takes half a millisecond, never less: a recorded time below that would be a wrong one" }
#include <podium/doubling.hpp>

#include <chrono>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::microseconds(500);
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = 2 * args.x(i);
    while (clock::now() < end) {
    }
  }
};
}  // namespace
