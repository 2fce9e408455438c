// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a child take all the memory it can get

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// needs: sandbox  (that counts the memory of all processes)
// with: --memory 600
// Whoever looks at the worker alone sees a small process.
#include <podium/sum.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    constexpr std::size_t piece = 16 << 20, most = std::size_t{4} << 30;
    if (const pid_t child = fork(); child != 0) {
      waitpid(child, nullptr, 0);
      return;
    }
    for (std::size_t taken = 0; taken < most; taken += piece)
      if (void* at = std::malloc(piece)) std::memset(at, 1, piece);
    for (;;) sleep(1);
  }
};
}  // namespace
