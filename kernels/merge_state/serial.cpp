// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, a loop
//   author: Podium
#include <podium/merge_state.hpp>

#include <algorithm>
#include <cmath>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t n = 0; n < args.rows; ++n)
      for (std::int64_t h = 0; h < args.heads; ++h) {
        const double peak = std::max(args.s_a(n, h), args.s_b(n, h));
        const double a = std::exp2(args.s_a(n, h) - peak), b = std::exp2(args.s_b(n, h) - peak);
        for (std::int64_t d = 0; d < args.head_dim; ++d)
          args.v(n, h, d) = podium::cast<real>(float(
              (a * podium::cast<float>(args.v_a(n, h, d)) + b * podium::cast<float>(args.v_b(n, h, d))) /
              (a + b)));
        args.s(n, h) = float(peak + std::log2(a + b));
      }
  }
};
}  // namespace
