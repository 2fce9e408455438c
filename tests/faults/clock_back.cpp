// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded: a wall clock that steps back by an hour at every look. CLOCK_MONOTONIC is the kernel's.
#include <dlfcn.h>
#include <sys/time.h>

#include <atomic>
#include <ctime>

namespace {

std::atomic<long> looks{0};

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) {
  static const auto real = reinterpret_cast<int (*)(clockid_t, timespec*)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, now);
  constexpr long hour = 3600;
  if (clock == CLOCK_REALTIME && result == 0) now->tv_sec -= hour * ++looks;
  return result;
}

extern "C" int gettimeofday(timeval* now, void*) {
  timespec precise{};
  const int result = clock_gettime(CLOCK_REALTIME, &precise);
  *now = {.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
  return result;
}

extern "C" time_t time(time_t* at) {
  timespec precise{};
  clock_gettime(CLOCK_REALTIME, &precise);
  if (at) *at = precise.tv_sec;
  return precise.tv_sec;
}
