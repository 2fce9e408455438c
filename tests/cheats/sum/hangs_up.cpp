// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Closes the worker's socket

// class: crash, hang, fork bomb, memory hog
// expect: crashed | exited | broke protocol
// The judge hears the end of the conversation where it expected an answer.
#include "forged.hpp"
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    close(judge_socket());
  }
};
}  // namespace
