// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The residual is normalised before x is added

// expect: wrong
// The residual ends up right, the mean square is that of its old values.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(
        args,
        [&](std::int64_t t) {
          double square = 0;
          for (std::int64_t i = 0; i < args.hidden; ++i) {
            const double before = podium::cast<float>(args.residual(t, i));
            square += before * before;
          }
          return 1 / std::sqrt(square / double(args.hidden) + problem::epsilon);
        },
        [&](std::int64_t t, std::int64_t i, real sum, real y) {
          args.residual(t, i) = sum;
          args.y(t, i) = y;
        });
  }
};
}  // namespace
