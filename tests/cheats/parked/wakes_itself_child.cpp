// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a child's end wake it in others' turns, and writes over what they compute

// class: sabotage
// expect: right
// needs: hold
// with: --rounds 3
// The child is stopped, too, but its own timer ends it with SIGKILL all the same, upon which the kernel sends
// its parent the signal that clone() was told: SIGCONT.
#include "twice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
struct Child {
  Child() {
    if (syscall(SYS_clone, SIGCONT, nullptr, nullptr, nullptr, nullptr) != 0) return;
    wake_by_timer(SIGKILL);
    for (;;) pause();
  }
  ~Child() {
    while (waitpid(-1, nullptr, __WALL | WNOHANG) > 0) {
    }
  }
};

void spoil_for_a_while(int) {
  for (int times = 0; off_turn && times < 100; ++times) {
    nanosleep(&between, nullptr);
    spoil(0);
  }
}
using Contestant = Saboteur<Child, spoil_for_a_while>;
}  // namespace
