// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Has a thread that wakes now and then

// expect: right
// A logger that writes out what has gathered, or an allocator that gives memory back, twice in a millisecond.
#include <podium/sum.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace {
struct Contestant {
  std::atomic<bool> over{false};
  std::atomic<long> beats{0};
  std::thread heart{[this] {
    for (; !over; std::this_thread::sleep_for(std::chrono::microseconds(500))) ++beats;
  }};

  ~Contestant() {
    over = true;
    heart.join();
  }
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
  }
};
}  // namespace
