// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/evaluator_excuse.hpp"

#include <cmath>

namespace podium::judge {
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
