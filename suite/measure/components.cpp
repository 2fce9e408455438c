// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace podium::measure {

Components components(std::span<const std::vector<double>> groups) {
  double count = 0, sum = 0, squared_sizes = 0, devices = 0;
  for (const auto& group : groups) {
    const auto size = static_cast<double>(group.size());
    count += size;
    squared_sizes += size * size;
    sum += std::accumulate(group.begin(), group.end(), 0.0);
    devices += size > 0 ? 1 : 0;
  }
  Components result;
  if (count <= devices) return result;
  double within = 0, between = 0;  // sums of squares
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const auto size = static_cast<double>(group.size());
    const double mean = std::accumulate(group.begin(), group.end(), 0.0) / size;
    for (const double value : group) within += (value - mean) * (value - mean);
    between += size * (mean - sum / count) * (mean - sum / count);
  }
  within /= count - devices;
  result.within = std::sqrt(within);
  if (devices < 2) return result;
  const double size = (count - squared_sizes / count) / (devices - 1);  // of a group, in effect
  result.between = std::sqrt(std::max(0.0, (between / (devices - 1) - within) / size));
  return result;
}

}  // namespace podium::measure
