// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Starts processes until no more can be had

// class: crash, hang, fork bomb, memory hog
// expect: too many processes | threw | out of memory | hung
// needs: sandbox  (that limits processes)
// Each of them waits; 20,000 of them are enough to show that there is no limit.
#include <podium/sum.hpp>

#include <unistd.h>

#include <stdexcept>
#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    for (int started = 0; started < 20'000; ++started) {
      const pid_t child = fork();
      if (child < 0) throw std::runtime_error("no more processes after " + std::to_string(started));
      if (child == 0)
        for (;;) pause();
    }
  }
};
}  // namespace
