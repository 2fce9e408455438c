// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Starts processes until no more can be

// class: crash, hang, fork bomb, memory hog
// expect: too many processes
// The machine must stay usable, and the row must say why.
#include <podium/sum.hpp>

#include <unistd.h>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (;;)
      if (fork() < 0) pause();
  }
};
}  // namespace
