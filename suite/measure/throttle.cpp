// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/throttle.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::measure {

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
