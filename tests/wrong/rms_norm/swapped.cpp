// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sum and norm exchanged

// expect: wrong
// The sum goes to y, the norm takes its place in the residual.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(
        args, [&](std::int64_t t) { return scale_of(args, t); },
        [&](std::int64_t t, std::int64_t i, real sum, real y) {
          args.residual(t, i) = y;
          args.y(t, i) = sum;
        });
  }
};
}  // namespace
