// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The clock of the processor that this thread runs on, counted rather than asked for.
#pragma once
#include <cstdint>

namespace podium::host {

struct ClockCount {
  std::uint64_t cycles = 0, nanoseconds = 0;
};

// Some eight microseconds of additions each of which waits for the one before: a cycle each on every
// processor of today. Of three times the fastest, for interruptions only lengthen.
ClockCount count_clock();

}  // namespace podium::host
