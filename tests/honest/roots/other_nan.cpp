// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Another bit pattern for what is not a number

// expect: right
// There are sixteen million of them, and all say the same.
#include <podium/roots.hpp>

#include <bit>
#include <cmath>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const float own = std::bit_cast<float>(0x7FC12345u);
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = args.x(i) < 0 ? own : std::sqrt(args.x(i));
  }
};
}  // namespace
