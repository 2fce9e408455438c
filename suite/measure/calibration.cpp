// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::measure {
namespace {

void expect_times(std::span<const double> microseconds, bool zero_allowed) {
  if (microseconds.empty()) throw std::invalid_argument("no times");
  for (const double time : microseconds)
    if (!std::isfinite(time) || time < 0 || (time == 0 && !zero_allowed))
      throw std::invalid_argument("a time is not positive and finite");
}

}  // namespace

Figure rate(double work, std::span<const double> microseconds) {
  expect_times(microseconds, false);
  if (!std::isfinite(work) || work <= 0) throw std::invalid_argument("work is not positive and finite");
  const Median time = median(microseconds);
  const double a_second = work * 1e6;
  return {a_second / time.value, a_second / time.high, a_second / time.low};
}

Figure seconds(std::span<const double> microseconds) {
  expect_times(microseconds, true);
  const Median time = median(microseconds);
  return {time.value * 1e-6, time.low * 1e-6, time.high * 1e-6};
}

Clock clock_under_load(std::span<const double> microseconds) {
  expect_times(microseconds, false);
  const double shortest = *std::ranges::min_element(microseconds);
  const std::size_t quarter = std::max<std::size_t>(1, microseconds.size() / 4);
  return {microseconds.front() / shortest, median(microseconds.last(quarter)).value / shortest};
}

double resolution(std::span<const double> microseconds) {
  expect_times(microseconds, true);
  constexpr double alike = 0.0005;  // microseconds: what is left of a tick by rounding to a float
  std::vector<double> sorted(microseconds.begin(), microseconds.end());
  std::ranges::sort(sorted);
  double smallest = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double step = sorted[i] - sorted[i - 1];
    if (step > alike && (smallest == 0 || step < smallest)) smallest = step;
  }
  return smallest;
}

}  // namespace podium::measure
