// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Of equal elements always the first

// expect: wrong
// The values are right, and so is the element at every index; it is taken more than once.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    for (std::int64_t i = 0; i < args.rows; ++i)
      for (std::int64_t r = 1; r < args.k; ++r)
        if (podium::cast<float>(args.values(i, r)) == podium::cast<float>(args.values(i, r - 1)))
          args.indices(i, r) = args.indices(i, r - 1);
  }
};
}  // namespace
