// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, two loops
//   author: Podium
#include <podium/transpose.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.rows; ++i)
      for (std::int64_t j = 0; j < args.cols; ++j) args.y(j, i) = args.x(i, j);
  }
};
}  // namespace
