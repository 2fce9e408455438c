// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes the clock of its process lose 170 µs in every call

// class: patched clock or statistics
// Expected: clock, by tests/end_to_end/together_test.cpp, which needs a machine that does nothing else. Less
// than the scatter of the judge's clock over one call may hide; the sum of several calls behind one gate
// shows it. The wait makes the lie possible at any size, and the clock never goes back.
#include "honest.hpp"
#include "overwritten.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {
constexpr std::int64_t lie = 170'000, second = 1'000'000'000;  // nanoseconds
std::atomic<std::int64_t> lost{0};

std::int64_t true_time(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);  // straight to the kernel
  return time.tv_sec * second + time.tv_nsec;
}

int losing_clock(clockid_t clock, timespec* time) {
  const std::int64_t now = true_time(clock) - lost;
  time->tv_sec = now / second;
  time->tv_nsec = now % second;
  return 0;
}

struct Contestant {
  Contestant() { overwrite_clock(&losing_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t began = true_time();
    args.y() = honest_sum(args.x.data, args.n);
    while (true_time() - began < lie) {
    }
    lost += lie;
  }
};
}  // namespace
