// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/canary.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "suite/measure/samples.hpp"

namespace podium::measure {

double canary_slack(std::string_view backend) {
  return backend == "host" ? canary_slack_host : canary_slack_gpu;
}

void Canaries::add(double microseconds) {
  if (!std::isfinite(microseconds)) throw std::invalid_argument("a canary is not finite");
  known_.insert(std::ranges::upper_bound(known_, microseconds), microseconds);
}

bool Canaries::disturbed(double microseconds) const {
  return known_.size() >= enough && microseconds > (1 + slack_) * middle(known_);
}

Disturbance disturbance(std::span<const double> canaries, double slack) {
  Canaries all(slack);
  for (const double canary : canaries) all.add(canary);
  const auto slow = std::ranges::count_if(canaries, [&](double canary) { return all.disturbed(canary); });
  return {.entries = static_cast<int>(canaries.size()), .disturbed = static_cast<int>(slow)};
}

}  // namespace podium::measure
