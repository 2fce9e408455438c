// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a descriptor wake it in others' turns, and writes over what they compute

// class: sabotage
// expect: right
// with: --rounds 3
// A pipe that becomes readable sends the signal that its owner chose (F_SETSIG): the clock writes to it.
#include "twice.hpp"

#include <fcntl.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace {
struct Contestant {
  bool started = false;

  void run(const problem::Arguments& args, podium::Stream) {
    note_call(args);
    twice(args);
    if (started) return;
    started = true;
    signal(SIGCONT, [](int) { spoil(); });
    int ends[2];
    if (pipe(ends) != 0) return;
    fcntl(ends[0], F_SETOWN, getpid());
    fcntl(ends[0], F_SETSIG, SIGCONT);
    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    // Who writes is no thread that could be stopped: a child that was left behind, in its own time.
    if (fork() == 0) {
      for (const timespec rest{0, 3'000'000};; nanosleep(&rest, nullptr)) {
        signal(SIGCONT, SIG_DFL);
        if (write(ends[1], "x", 1) < 0) _exit(0);
        char drained[64];
        while (read(ends[0], drained, sizeof drained) > 0) {
        }
      }
    }
  }
};
}  // namespace
