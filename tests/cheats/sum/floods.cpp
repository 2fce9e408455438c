// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes to its output until it is stopped

// class: crash, hang, fork bomb, memory hog
// expect: exited | hung
// What a worker prints is kept in memory for its last words, and may grow to the limit of a file.
#include <podium/sum.hpp>

#include <unistd.h>

#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    const std::string line(1 << 20, 'x');
    for (;;)
      if (write(STDOUT_FILENO, line.data(), line.size()) < 0) _exit(7);
  }
};
}  // namespace
