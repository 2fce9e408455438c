// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace podium {

// That a process has used, this one by default, in all its threads: other processes do not lengthen it.
inline std::chrono::nanoseconds processor_time(pid_t process = 0) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// That children of this process have used which have ended.
inline std::chrono::microseconds processor_time_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Waits until a process has used so much in all, a minute at most.
inline void wait_until_used(pid_t process, std::chrono::nanoseconds time) {
  for (int wait = 0; wait < 60'000 && processor_time(process) < time; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace podium
