// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right twice, then idle

// class: call counting
// expect: not written
// Finds whoever checks the first calls and times the later ones. The count outlives the instance.
#include "honest.hpp"

namespace {
int calls = 0;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (++calls <= 2) honest_sum(args, stream);
  }
};
}  // namespace
