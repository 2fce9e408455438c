// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, the library's exp
//   author: Podium
#include <podium/cross_entropy.hpp>

#include <cmath>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      float peak = -INFINITY;
      double total = 0;  // one float would lose more with every term of a long row
      for (std::int64_t v = 0; v < args.vocab; ++v) peak = std::fmax(peak, podium::cast<float>(args.x(t, v)));
      for (std::int64_t v = 0; v < args.vocab; ++v)
        total += std::exp(podium::cast<float>(args.x(t, v)) - peak);
      args.loss(t) = float(std::log(total)) + (peak - podium::cast<float>(args.x(t, args.target(t))));
    }
  }
};
}  // namespace
