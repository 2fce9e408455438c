// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the times of calibration probes to rates and ratios. Plain numbers in, plain numbers out.
#pragma once
#include <span>

namespace podium::measure {

// A quantity and the distribution-free 95 % interval of the median it comes from.
struct Figure {
  double value = 0, low = 0, high = 0;
};

// `work` (bytes, operations) a second: over the median of the microseconds that each repetition took. Throws
// std::invalid_argument for no times, times that are not positive and finite, and work that is not.
Figure rate(double work, std::span<const double> microseconds);
// The median in seconds. Throws as above, but a time may be 0.
Figure seconds(std::span<const double> microseconds);

// Of one kernel again and again, in their order: how the first time, and the median of the last quarter, lie
// above the shortest. 1: the clock holds; 1.1: the device has become a tenth slower. Throws like rate().
struct Clock {
  double first = 1, settled = 1;
};
Clock clock_under_load(std::span<const double> microseconds);

// The smallest step between two times, in microseconds, of those that are more than half a nanosecond apart:
// what a timer that ticks shows of its tick. 0: all times are alike. Throws like seconds().
double resolution(std::span<const double> microseconds);

}  // namespace podium::measure
