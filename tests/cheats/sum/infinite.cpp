// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Infinity

// class: NaN wildcard
// expect: wrong
// Infinity over infinity is not a number, and a relative error of that exceeds no limit.
#include <podium/sum.hpp>

#include <cmath>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { args.y() = INFINITY; }
};
}  // namespace
