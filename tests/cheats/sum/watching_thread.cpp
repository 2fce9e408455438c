// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs while the gate is closed

// class: inputs before their turn
// expect: wrong
// A thread adds up what it finds: inputs that lie there for a while before the gate opens are summed by then,
// and the call only hands the sum over. Nothing in the time or in the answer shows that; whoever draws the
// inputs has to see to it that this process stands still meanwhile.
#include "watching.hpp"

namespace {
struct Contestant {
  Watcher watcher;
  explicit Contestant(const problem::Workload& w) : watcher(w) {}
  void run(const problem::Arguments& args, podium::Stream) { watcher.answer(args); }
};
}  // namespace
