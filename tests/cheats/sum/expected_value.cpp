// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Gives the value that the sum has on average

// class: hard-coded constants, only one distribution
// expect: wrong
// Inputs with mean 0 sum up to something near 0, measured by their own number.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { args.y() = 1e-3f; }
};
}  // namespace
