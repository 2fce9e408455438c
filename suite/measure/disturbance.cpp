// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/disturbance.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::measure {

double canary_slack(bool gpu) { return gpu ? canary_slack_gpu : canary_slack_host; }

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

double sample_clock(double before, double after) {
  return before > 0 && after > 0 ? std::min(before, after) : std::max({before, after, 0.0});
}

double reference_clock(std::span<const double> clocks) {
  std::vector<double> known;
  std::ranges::copy_if(clocks, std::back_inserter(known), [](double clock) { return clock > 0; });
  if (known.empty()) return 0;
  std::ranges::sort(known);
  return middle(known);
}

bool Throttle::admits(double clock) {
  const bool fallen = clock > 0 && clock < rule_.least * reference_;
  if (!fallen) {
    in_a_row_ = 0;
    return true;
  }
  given_up_ = given_up_ || in_a_row_ == rule_.in_a_row || discarded_ == rule_.most;
  slow_ += given_up_;
  discarded_ += !given_up_;
  in_a_row_ += !given_up_;
  return given_up_;
}

}  // namespace podium::measure
