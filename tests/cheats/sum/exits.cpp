// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Ends its process, with the status of success

// class: crash, hang, fork bomb, memory hog
// expect: exited
// Who trusts an exit status takes this for a run in which nothing went wrong.
#include <podium/sum.hpp>

#include <unistd.h>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) { _exit(0); }
};
}  // namespace
