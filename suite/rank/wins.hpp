// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// On how many workloads a contestant beats the baseline, and by how much. Plain numbers in, plain numbers
// out.
#pragma once
#include <array>
#include <span>

namespace podium::rank {

inline constexpr std::array fast_factors{1.0, 1.5, 2.0};

struct Wins {
  int workloads = 0;  // that could have been won
  int won = 0;        // shown to be faster: the interval of the speed-up lies wholly beyond delta
  std::array<int, fast_factors.size()> fast{};  // whose speed-up is more than that factor

  // One workload: its rounds' medians, those of the baseline, and the smallest log-ratio that counts. Without
  // `times` it was not right, or not finished. Throws std::invalid_argument if there are times, and not as
  // many as the baseline's.
  void add(std::span<const double> times, std::span<const double> baseline, double delta);
  void add(const Wins& other);
};

}  // namespace podium::rank
