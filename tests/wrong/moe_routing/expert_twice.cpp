// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The first choice taken twice

// expect: wrong
// The list agrees with the choices. Where logits tie, only this shows.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    choose(args);
    weigh(args);
    for (std::int64_t t = 0; t < args.tokens; ++t)
      if (args.k > 1 && args.weights(t, 0) == args.weights(t, 1)) args.expert(t, 1) = args.expert(t, 0);
    list(args);
  }
};
}  // namespace
