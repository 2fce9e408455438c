// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Divides by the root mean square that inputs have on average

// class: hard-coded constants, only one distribution
// expect: wrong
// The sum of two normal numbers has a known variance, so the first pass over the row can be saved.
#include <podium/rms_norm.hpp>

#include <cmath>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const float rms = std::sqrt(17.0f);
    for (std::int64_t t = 0; t < args.tokens; ++t)
      for (std::int64_t i = 0; i < args.hidden; ++i) {
        const float sum = podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i));
        args.residual(t, i) = podium::cast<real>(sum);
        args.y(t, i) = podium::cast<real>(sum / rms * podium::cast<float>(args.weight(i)));
      }
  }
};
}  // namespace
