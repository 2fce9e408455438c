// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a child without its first thread take all the memory it can get

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// needs: sandbox  (that counts the memory of all processes)
// with: --memory 600
// Of a process whose first thread has ended /proc says that it holds nothing; another thread of it does.
#include <podium/sum.hpp>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

namespace {
void take_all() {
  constexpr std::size_t piece = 16 << 20, most = std::size_t{2} << 30;
  for (std::size_t taken = 0; taken < most; taken += piece)
    if (void* at = std::malloc(piece)) std::memset(at, 1, piece);
  for (;;) sleep(1);
}

struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    if (const pid_t child = fork(); child != 0) {
      waitpid(child, nullptr, 0);
      return;
    }
    std::thread(take_all).detach();
    syscall(SYS_exit, 0);  // this thread alone
  }
};
}  // namespace
