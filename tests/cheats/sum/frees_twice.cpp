// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Frees memory twice

// class: crash, hang, fork bomb, memory hog
// expect: crashed
// Its process ends; nobody else's does.
#include "honest.hpp"

#include <cstdlib>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    void* volatile block = std::malloc(100);
    void* volatile same = block;
    std::free(block);
    std::free(same);
  }
};
}  // namespace
