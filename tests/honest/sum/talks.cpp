// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Prints a line in every call

// expect: right
// Its output is kept for its last words, should it crash.
#include <podium/sum.hpp>

#include <cstdio>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
    std::printf("the sum of %lld numbers is %g\n", static_cast<long long>(args.n), total);
    std::fflush(stdout);
  }
};
}  // namespace
