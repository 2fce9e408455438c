// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One pair twice, another lost

// expect: wrong
// Both of one expert: it computes one token twice and leaves out another.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    for (std::int64_t e = 0; e < args.experts; ++e)
      if (args.offsets(e + 1) - args.offsets(e) > 1)
        return void(args.pairs(args.offsets(e)) = args.pairs(args.offsets(e) + 1));
  }
};
}  // namespace
