// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Overwrites the function from which C++ takes its time

// class: patched clock or statistics
// expect: clock
// The worker samples std::chrono::steady_clock, whose code lies in its memory like any other: it is
// overwritten there, not in the system's library.
#include "bent_clock.hpp"
#include "honest.hpp"

#include <chrono>

namespace {
std::chrono::steady_clock::time_point slow_now() {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(true_time() / 1000));
}

struct Contestant {
  Contestant() {
    overwrite_function(reinterpret_cast<void*>(&std::chrono::steady_clock::now),
                       reinterpret_cast<void*>(&slow_now));
  }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    spin(5'000'000);
  }
};
}  // namespace
