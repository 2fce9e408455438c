// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Two pairs exchanged between experts

// expect: wrong
// All pairs are there, all offsets are right.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    const std::int64_t size = args.pairs.size();
    if (size > 0) std::swap(args.pairs(0), args.pairs(size - 1));
  }
};
}  // namespace
