// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, the mean square in double
//   author: Podium
#include <podium/rms_norm.hpp>

#include <cmath>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto add = [&](std::int64_t t, std::int64_t i) {
      return podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i));
    };
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      double square = 0;
      for (std::int64_t i = 0; i < args.hidden; ++i) square += double(add(t, i)) * add(t, i);
      const auto scale = float(1 / std::sqrt(square / double(args.hidden) + problem::epsilon));
      for (std::int64_t i = 0; i < args.hidden; ++i) {
        const float sum = add(t, i);
        args.residual(t, i) = podium::cast<problem::real>(sum);
        args.y(t, i) = podium::cast<problem::real>(sum * scale * podium::cast<float>(args.weight(i)));
      }
    }
  }
};
}  // namespace
