// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/sensitivity.hpp"

#include <cmath>
#include <map>

namespace podium::judge {
namespace {

// An element whose error may be less than 2^-60 of it, or more than 2^60 times as large, needs no number.
constexpr double highest_power = 60;

// The reciprocal of the largest factor at which at least `least` elements are wrong: zeros err by all of an
// element, so that its limit is that part of it.
double smallest_error(const WrongZeros& wrong, std::int64_t least, int halvings) {
  double low = -highest_power, high = highest_power;
  for (int step = 0; step < halvings; ++step) {
    const double middle = (low + high) / 2;
    (wrong(std::exp2(middle)) >= least ? low : high) = middle;
  }
  return std::exp2(-(low + high) / 2);
}

}  // namespace

Sensitivity sensitivity(const WrongZeros& zeros, int halvings) {
  std::map<double, std::int64_t> known;  // the first factors of both searches are the same
  const WrongZeros wrong = [&](double factor) {
    const auto found = known.find(factor);
    return found != known.end() ? found->second : known[factor] = zeros(factor);
  };
  const std::int64_t always = wrong(std::exp2(highest_power)), all = wrong(0);
  Sensitivity found;
  found.kind = all == 0        ? Sensitivity::Kind::all_zero
               : all == always ? Sensitivity::Kind::exact
                               : Sensitivity::Kind::measured;
  if (found.kind != Sensitivity::Kind::measured) return found;
  found.all = smallest_error(wrong, always + 1, halvings);
  found.one = smallest_error(wrong, always + (all - always + 1) / 2, halvings);
  return found;
}

}  // namespace podium::judge
