// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One index twice

// expect: wrong
// The values are right.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    if (args.rows > 0 && args.k > 1)
      args.indices(args.rows - 1, args.k - 1) = args.indices(args.rows - 1, args.k - 2);
  }
};
}  // namespace
