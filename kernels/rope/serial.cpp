// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, pair by pair
//   author: Podium
#include <podium/rope.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t half = args.head_dim / 2;
    for (std::int64_t t = 0; t < args.tokens; ++t)
      for (std::int64_t h = 0; h < args.heads; ++h)
        for (std::int64_t d = 0; d < half; ++d) {
          const std::int64_t p = args.position(t);
          const float cosine = args.table(p, d), sine = args.table(p, d + half);
          const float a = podium::cast<float>(args.x(t, h, d)),
                      b = podium::cast<float>(args.x(t, h, d + half));
          args.y(t, h, d) = podium::cast<real>(a * cosine - b * sine);
          args.y(t, h, d + half) = podium::cast<real>(b * cosine + a * sine);
        }
  }
};
}  // namespace
