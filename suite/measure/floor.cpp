// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/floor.hpp"

#include <algorithm>

namespace podium::measure {

double physical_floor(const Traffic& traffic, double cache, double copy_rate) {
  constexpr double margin = 0.9;
  const double bytes = std::min(traffic.stated, traffic.read + std::max(0.0, traffic.written - cache));
  return margin * bytes / copy_rate * 1e6;
}

}  // namespace podium::measure
