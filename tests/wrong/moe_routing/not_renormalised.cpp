// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Weights of the softmax over all experts

// expect: wrong
// They do not add up to 1.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    choose(args);
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      double total = 0;
      for (std::int64_t e = 0; e < args.experts; ++e)
        total += std::exp(double(podium::cast<float>(args.logits(t, e))));
      for (std::int64_t s = 0; s < args.k; ++s)
        args.weights(t, s) = float(std::exp(double(args.weights(t, s))) / total);
    }
    list(args);
  }
};
}  // namespace
