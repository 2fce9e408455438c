// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What kernels read to wait no longer than so long: the counter of fixed rate, which is the host's clock, and
// that of cycles, which counts how often it was read and no time.
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

// The same in every run. Who waits for a number of cycles gets there in few turns; 64 a reading, so that
// twenty bits, of which RDNA 3 has no more, take 16384 readings to come round.
inline std::uint64_t cycles(Group* g) {
  ++*g->writes;
  constexpr std::uint64_t cycles_of_a_reading = 64;
  return *g->cycles += cycles_of_a_reading;
}

}  // namespace podium::amd
