// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: An endless loop

// class: crash, hang, fork bomb, memory hog
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
