// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Never returns from its constructor

// class: crash, hang, fork bomb, memory hog
// expect: hung
// The constructor is untimed, not unlimited.
#include <podium/sum.hpp>

#include <unistd.h>

namespace {
struct Contestant {
  Contestant() {
    for (;;) pause();
  }
  void run(const problem::Arguments&, podium::Stream) {}
};
}  // namespace
