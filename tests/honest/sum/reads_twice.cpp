// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads its input twice and compares

// expect: right
// Every number is seen again before the answer is given.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0, again = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    for (std::int64_t i = args.n; i-- > 0;) again += args.x.data[i];
    args.y() = float((total + again) / 2);
  }
};
}  // namespace
