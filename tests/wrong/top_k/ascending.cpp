// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Ascending order

// expect: wrong
// The right elements, the smallest of them first.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    for (std::int64_t i = 0; i < args.rows; ++i) {
      std::reverse(&args.values(i, 0), &args.values(i, 0) + args.k);
      std::reverse(&args.indices(i, 0), &args.indices(i, 0) + args.k);
    }
  }
};
}  // namespace
