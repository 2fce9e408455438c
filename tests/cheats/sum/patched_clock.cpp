// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes the clock of its process run a thousand times slower

// class: patched clock or statistics
// expect: clock
// Overwrites the code of clock_gettime, from which every C++ clock takes its time, with a jump to a function
// of its own. The 5 ms that a call takes read 5 us. Only a clock in another process can tell.
#include "honest.hpp"
#include "overwritten.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {
int slow_clock(clockid_t clock, timespec* time) {
  const auto status = syscall(SYS_clock_gettime, clock, time);  // straight to the kernel
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t slow = (time->tv_sec * second + time->tv_nsec) / 1000;
  time->tv_sec = slow / second;
  time->tv_nsec = slow % second;
  return int(status);
}

struct Contestant {
  Contestant() { overwrite_clock(&slow_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    usleep(5000);
  }
};
}  // namespace
