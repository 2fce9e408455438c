// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Normalises the sum before it is rounded

// expect: right
// y from the exact sum, the residual from the rounded one: the tolerance has room for both.
#include <podium/rms_norm.hpp>

#include <cmath>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      double square = 0;
      const auto sum = [&](std::int64_t i) {
        return podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i));
      };
      for (std::int64_t i = 0; i < args.hidden; ++i) square += double(sum(i)) * sum(i);
      const double rms = std::sqrt(square / double(args.hidden) + problem::epsilon);
      for (std::int64_t i = 0; i < args.hidden; ++i) {
        const float whole = sum(i);
        args.residual(t, i) = podium::cast<real>(whole);
        args.y(t, i) = podium::cast<real>(float(whole / rms * podium::cast<float>(args.weight(i))));
      }
    }
  }
};
}  // namespace
