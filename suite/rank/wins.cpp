// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/rank/wins.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "suite/rank/ranking.hpp"
#include "suite/rank/student.hpp"

namespace podium::rank {

void Wins::add(std::span<const double> times, std::span<const double> baseline, double delta) {
  ++workloads;
  if (times.empty()) return;
  if (times.size() != baseline.size()) throw std::invalid_argument("not as many rounds as the baseline");
  std::vector<double> ratios;
  for (std::size_t round = 0; round < times.size(); ++round)
    ratios.push_back(std::log(baseline[round] / times[round]));
  const Mean speed_up = mean(ratios);
  const bool enough = static_cast<int>(times.size()) >= least_rounds;
  if (enough && speed_up.value - half_width(speed_up, 1 - confidence) > delta) ++won;
  for (std::size_t k = 0; k < fast.size(); ++k)
    if (speed_up.value > std::log(fast_factors[k])) ++fast[k];
}

void Wins::add(const Wins& other) {
  workloads += other.workloads;
  won += other.won;
  for (std::size_t k = 0; k < fast.size(); ++k) fast[k] += other.fast[k];
}

}  // namespace podium::rank
