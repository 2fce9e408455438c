// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Returns at once and computes later

// class: side stream, late work
// expect: not written | wrong | out of bounds
// A thread of its own writes the answer when the clock has stopped. The delay makes it visible at any size.
#include "honest.hpp"

#include <chrono>
#include <thread>

namespace {
struct Contestant {
  std::thread late;

  ~Contestant() {
    if (late.joinable()) late.join();
  }
  void run(const problem::Arguments& args, podium::Stream) {
    if (late.joinable()) late.join();
    late = std::thread([args] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      args.y() = honest_sum(args.x.data, args.n);
    });
  }
};
}  // namespace
