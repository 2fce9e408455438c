// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: An endless loop

// class: takes the run down
// expect: hung
// And a busy one.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (volatile bool forever = true; forever;) {
    }
  }
};
}  // namespace
