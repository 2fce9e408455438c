// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A process of its own does the work, in a context for which nobody waits

// class: side stream, late work
// expect: clock | wrong | not written | threw
// The call's only kernel says what is to be done; the sum is made by another process of the contestant's,
// which has opened the shared memory from a descriptor that this one made of it.
#include "own_process.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    OwnProcess::of(args.y.data).ask(args, stream);
  }
};
}  // namespace
