// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/host/clock.hpp"

#include <chrono>

namespace podium::host {

ClockCount count_clock() {
  using clock = std::chrono::steady_clock;
  constexpr int times = 3, additions = 8192, unrolled = 16;
  std::uint64_t sum = 0, summand = 1;
  ClockCount best;
  for (int k = 0; k < times; ++k) {
    const auto begin = clock::now();
    for (int i = 0; i < additions / unrolled; ++i)
#pragma GCC unroll 16
      for (int j = 0; j < unrolled; ++j) {
        sum += summand;
        // Neither folded nor reordered. A register is added: some processors add small constants for nothing.
        asm volatile("" : "+r"(sum), "+r"(summand));
      }
    const std::chrono::nanoseconds took = clock::now() - begin;
    const auto nanoseconds = static_cast<std::uint64_t>(took.count());
    if (best.cycles == 0 || nanoseconds < best.nanoseconds) best = {additions, nanoseconds};
  }
  return best;
}

}  // namespace podium::host
