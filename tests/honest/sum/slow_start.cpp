// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes its time in the constructor

// expect: right
// A constructor that reads a plan from elsewhere, compiles or tunes may take long; it is not timed.
#include <podium/sum.hpp>

#include <chrono>
#include <thread>

namespace {
struct Contestant {
  Contestant() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
  }
};
}  // namespace
