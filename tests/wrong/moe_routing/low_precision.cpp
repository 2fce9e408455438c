// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Weights from exponentials in f16

// expect: wrong
// Their sum is in f32.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    choose(args);
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      float total = 0;
      const float largest = args.weights(t, 0);
      for (std::int64_t s = 0; s < args.k; ++s)
        total += args.weights(t, s) =
            podium::cast<float>(podium::cast<podium::f16>(std::exp(args.weights(t, s) - largest)));
      for (std::int64_t s = 0; s < args.k; ++s) args.weights(t, s) /= total;
    }
    list(args);
  }
};
}  // namespace
