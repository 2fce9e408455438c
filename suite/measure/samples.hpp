// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the samples of one entry to one number with an interval. Plain numbers in, plain numbers out.
#pragma once
#include <span>
#include <string_view>

namespace podium::measure {

struct Median {
  double value = 0;
  double low = 0, high = 0;  // distribution-free interval from order statistics (binomial); low = high =
                             // value for one sample
};

// The median alone, of a non-empty set in ascending order.
double middle(std::span<const double> ascending);

// Of a non-empty set; `confidence` in (0, 1). Where too few samples give that confidence, the whole range.
Median median(std::span<const double> samples, double confidence = 0.95);

// Whether an entry has samples enough: the interval narrower than `relative` of the median, or `budget`
// seconds of wall time spent, or `most` samples taken; never before `least`. But calls so long that they
// alone take the budget are enough from the first on: ranks compare rounds, not samples.
struct Stopping {
  int least = 5, most = 50;
  double relative = 0.01;
  double budget = 0.1;  // seconds of wall time
};
enum class Reason { more, narrow, budget, most, long_calls };
std::string_view name_of(Reason reason);  // "narrow", "budget", "most", "long calls"; "" for more
// `samples` in microseconds.
Reason stop(std::span<const double> samples, double seconds_spent, const Stopping& rule);

// Calls of `microseconds` each that fill `seconds`: at least three, so that none of them alone is what is
// looked at, and no more than `most`. Three as well where the time is none.
int repeats_for(double seconds, double microseconds, int most);

}  // namespace podium::measure
