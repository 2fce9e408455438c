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

namespace {

constexpr double most = 0.05, chance = 1e-6;
constexpr std::int64_t one_in = 20;  // the same share in whole numbers

}  // namespace

double binomial_tail(std::int64_t trials, std::int64_t least, double p) {
  const auto n = static_cast<double>(trials);
  const auto first = static_cast<double>(least);
  if (least <= 0) return 1;
  if (least > trials) return 0;
  if (first <= n * p) return 1 - binomial_tail(trials, trials - least + 1, 1 - p);  // no first term of 0
  double term = std::exp(std::lgamma(n + 1) - std::lgamma(first + 1) - std::lgamma(n - first + 1) +
                         first * std::log(p) + (n - first) * std::log1p(-p));
  double tail = 0;
  for (std::int64_t k = least; k <= trials && term > tail * 1e-17; ++k) {
    tail += term;
    term *= static_cast<double>(trials - k) / static_cast<double>(k + 1) * p / (1 - p);
  }
  return tail;
}

bool too_many_excused(std::int64_t excused, std::int64_t checked, std::int64_t drawn) {
  if (excused * one_in <= checked) return false;
  const double share = static_cast<double>(excused) / static_cast<double>(checked);
  return binomial_tail(drawn, std::llround(share * static_cast<double>(drawn)), most) < chance;
}

}  // namespace podium::judge
