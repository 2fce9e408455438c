// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The counter of fixed rate, which kernels read to wait no longer than so long. Cycles are not counted.
#pragma once
#include <cstdint>
#include <ctime>

#include "state.hpp"

namespace podium::amd {

// 100 MHz, as the runtime says of it (hipDeviceAttributeWallClockRate). Who looks at it may wait for it, and
// not in vain.
inline std::uint64_t real_time(Group* g) {
  ++*g->writes;
  constexpr std::uint64_t rate = 100'000'000, nanoseconds = 1'000'000'000 / rate;
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * rate +
         static_cast<std::uint64_t>(now.tv_nsec) / nanoseconds;
}

}  // namespace podium::amd
