// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Ignores every signal that can be ignored, and hangs

// class: crash, hang, fork bomb, memory hog
// expect: hung
// SIGKILL is not among them.
#include <podium/sum.hpp>

#include <signal.h>
#include <unistd.h>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
    for (;;) sleep(1);
  }
};
}  // namespace
