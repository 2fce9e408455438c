// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A loop" }
#include <podium/doubling.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = 2 * args.x(i);
  }
};
}  // namespace
