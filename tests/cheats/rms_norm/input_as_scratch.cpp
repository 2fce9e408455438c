// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Uses an input as scratch memory

// class: input mutation
// expect: input changed
// What it writes into x is never read by anybody else, it thinks.
#include <podium/rms_norm.hpp>

#include <cmath>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    real* const scratch = const_cast<real*>(args.x.data);
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      float square = 0;
      for (std::int64_t i = 0; i < args.hidden; ++i) {
        const float sum = podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i));
        args.residual(t, i) = scratch[t * args.hidden + i] = podium::cast<real>(sum);
        square += sum * sum;
      }
      const float rms = std::sqrt(square / float(args.hidden) + float(problem::epsilon));
      for (std::int64_t i = 0; i < args.hidden; ++i)
        args.y(t, i) = podium::cast<real>(podium::cast<float>(scratch[t * args.hidden + i]) / rms *
                                          podium::cast<float>(args.weight(i)));
    }
  }
};
}  // namespace
