// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element left out

// expect: wrong
// The last one; where there are many, the sum hardly changes.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(sum, dim3(1), dim3(block), 0, stream, args.x.data, args.y.data, args.n - 1);
  }
};
}  // namespace
