// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The residual is left as it was

// expect: not written
// y is right.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(
        args, [&](std::int64_t t) { return scale_of(args, t); },
        [&](std::int64_t t, std::int64_t i, real, real y) { args.y(t, i) = y; });
  }
};
}  // namespace
