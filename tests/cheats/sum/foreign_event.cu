// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Waits for an event of another process, as that was before

// class: side stream, late work
// expect: clock | wrong | not written | threw
// As helping_process, and it seems to wait: for the event that the other process records behind its work. But
// a stream waits for what was recorded when it was told to, and that is the call before.
#include "own_process.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    OwnProcess& other = OwnProcess::of(args.y.data);
    other.ask(args, stream);
    podium::check(cudaStreamWaitEvent(stream, other.event(), 0));
  }
};
}  // namespace
