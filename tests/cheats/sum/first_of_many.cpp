// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes only where a call stands alone

// class: superbatch
// expect: not written | wrong
// Calls that follow one another at once are those that are timed together, of which all are checked, too.
#include "honest.hpp"

#include <chrono>

namespace {
struct Contestant {
  std::chrono::steady_clock::time_point ended{};

  void run(const problem::Arguments& args, podium::Stream stream) {
    const bool alone = std::chrono::steady_clock::now() - ended > std::chrono::microseconds(20);
    if (alone) give_sum(args, stream);
    ended = std::chrono::steady_clock::now();
  }
};
}  // namespace
