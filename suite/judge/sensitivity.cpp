// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/sensitivity.hpp"

#include <cmath>

namespace podium::judge {
namespace {

// An element whose error may be less than 2^-60 of it, or more than 2^60 times as large, needs no number.
constexpr double highest_power = 60;
constexpr int halvings = 17;  // of powers from -60 to 60: down to less than a thousandth

// The reciprocal of the largest factor at which at least `least` elements are wrong: zeros err by all of an
// element, so that its limit is that part of it.
double smallest_error(const WrongZeros& wrong, std::int64_t least) {
  double low = -highest_power, high = highest_power;
  for (int step = 0; step < halvings; ++step) {
    const double middle = (low + high) / 2;
    (wrong(std::exp2(middle)) >= least ? low : high) = middle;
  }
  return std::exp2(-(low + high) / 2);
}

}  // namespace

Sensitivity sensitivity(const WrongZeros& wrong) {
  const std::int64_t always = wrong(std::exp2(highest_power)), all = wrong(0);
  Sensitivity found;
  found.kind = all == 0        ? Sensitivity::Kind::all_zero
               : all == always ? Sensitivity::Kind::exact
                               : Sensitivity::Kind::measured;
  if (found.kind != Sensitivity::Kind::measured) return found;
  found.all = smallest_error(wrong, always + 1);
  found.one = smallest_error(wrong, always + (all - always + 1) / 2);
  return found;
}

}  // namespace podium::judge
