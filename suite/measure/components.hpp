// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How much times scatter within a device, and between devices of one type. Plain numbers in, plain numbers
// out.
#pragma once
#include <optional>
#include <span>
#include <vector>

namespace podium::measure {

// Standard deviations of one observation.
struct Components {
  std::optional<double> within;  // none: no device has two observations
  std::optional<double>
      between;  // none: fewer than two devices, or nothing to tell it from the scatter within
};

// Of a random-effects model with one factor, by analysis of variance: groups may differ in size, and a
// negative estimate is 0. Searle, Casella and McCulloch 1992, Variance Components, section 3.6.
Components components(std::span<const std::vector<double>> groups);

}  // namespace podium::measure
