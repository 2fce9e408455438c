// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs, and does not say that it is ready

// class: inputs before their turn
// expect: wrong | hung
// The judge lets a worker wait that is not ready, as one is whose contestant waits inside its call, opens
// the gate first and fills the tensors while nobody stands still. Here the message that says so is held
// back for longer than the judge is patient.
#include "forged.hpp"
#include "watching.hpp"

namespace {
ssize_t late(int fd, const msghdr* message, int flags) {
  if (sent<protocol::Armed>(message)) usleep(600'000);
  return pass_on(fd, message, flags);
}

struct Contestant {
  Watcher watcher;
  explicit Contestant(const problem::Workload& w) : watcher(w) {}
  void run(const problem::Arguments& args, podium::Stream) {
    if (watcher.answer(args)) overwrite_send(&late);
  }
};
}  // namespace
