// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A clock of the process that can lose time, and the true one. A helper: no contestant.
#pragma once
#include "overwritten.hpp"

#include <sys/syscall.h>

#include <atomic>

namespace {
constexpr std::int64_t second = 1'000'000'000;  // nanoseconds
inline std::atomic<std::int64_t> lost{0};       // nanoseconds that the clock of the process is slow

inline std::int64_t true_time(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);  // straight to the kernel
  return time.tv_sec * second + time.tv_nsec;
}

inline int losing_clock(clockid_t clock, timespec* time) {
  const std::int64_t now = true_time(clock) - lost;
  time->tv_sec = now / second;
  time->tv_nsec = now % second;
  return 0;
}

inline void spin(std::int64_t nanoseconds) {
  for (const std::int64_t began = true_time(); true_time() - began < nanoseconds;) {
  }
}
}  // namespace
