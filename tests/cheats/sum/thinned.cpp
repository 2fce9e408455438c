// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Leaves out every 64th element

// class: skipped elements
// expect: wrong
// Less than two in a hundred, and on average nothing is missing.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += i % 64 == 63 ? 0 : args.x.data[i];
    args.y() = float(total);
  }
};
}  // namespace
