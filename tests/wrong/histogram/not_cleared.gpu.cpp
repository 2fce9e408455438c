// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds to what y holds

// expect: wrong | not written
// Right where y happens to be zero.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n > 0)
      podium::launch(count, blocks_for(args.n), dim3(block), 0, stream, args.x.data, args.n, args.y.data);
  }
};
}  // namespace
