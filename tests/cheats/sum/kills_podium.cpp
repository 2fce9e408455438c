// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Ends the process that measures it

// class: crash, hang, fork bomb, memory hog
// expect: wrong
// Who loses may prefer that nobody wins. If podium, or any process but its own, can be signalled, the answer
// is right, should anybody be left to see it; else it is 0.
#include <signal.h>
#include <unistd.h>

#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const bool done = kill(getppid(), SIGKILL) == 0 || kill(1, 0) == 0;
    args.y() = done ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
