// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last choice is the next best expert

// expect: wrong
// Its weight is that of the right one, and the list agrees with the choices.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    choose(args, 1);
    std::vector<std::int32_t> next(args.expert.data, args.expert.data + args.expert.size());
    choose(args);
    weigh(args);
    for (std::int64_t t = 0; t < args.tokens; ++t)
      if (args.k < args.experts) args.expert(t, args.k - 1) = next[std::size_t(t * args.k + args.k - 1)];
    list(args);
  }
};
}  // namespace
