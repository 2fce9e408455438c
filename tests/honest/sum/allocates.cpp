// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Allocates in every call

// expect: right
// Against the advice, not against the rules.
#include <podium/sum.hpp>

#include <vector>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::vector<double> wide(args.x.data, args.x.data + args.n);
    double total = 0;
    for (const double x : wide) total += x;
    args.y() = float(total);
  }
};
}  // namespace
