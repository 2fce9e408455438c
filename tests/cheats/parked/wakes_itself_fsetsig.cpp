// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a descriptor wake it in others' turns, and writes over what they compute

// class: sabotage
// expect: right
// needs: hold
// with: --rounds 3
// A descriptor sends the signal that its owner chose (F_SETSIG) when there is something to be read: here that
// somebody has opened the C library, as the next contestant's worker does when it starts.
#include "twice.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace {
struct Watch {
  int file = inotify_init1(IN_NONBLOCK);
  Watch() {
    Dl_info library{};
    dladdr(reinterpret_cast<const void*>(&fopen), &library);
    inotify_add_watch(file, library.dli_fname, IN_OPEN);
    fcntl(file, F_SETOWN, getpid());
    fcntl(file, F_SETSIG, SIGCONT);
    fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK);
  }
  ~Watch() { close(file); }
};

void spoil_for_a_while(int) {
  for (int times = 0; off_turn && times < 100; ++times) {
    nanosleep(&between, nullptr);
    spoil(0);
  }
}
using Contestant = Saboteur<Watch, spoil_for_a_while>;
}  // namespace
