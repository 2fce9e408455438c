// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Hangs, with a child that hangs, and ignores every signal

// class: crash, hang, fork bomb, memory hog
// expect: hung
// Only what cannot be ignored ends it, and its child with it.
#include <podium/sum.hpp>

#include <signal.h>
#include <unistd.h>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (int s = 1; s < NSIG; ++s) signal(s, SIG_IGN);
    fork();
    for (;;) pause();
  }
};
}  // namespace
