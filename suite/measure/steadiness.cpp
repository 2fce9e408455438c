// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/steadiness.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace podium::measure {
namespace {

constexpr std::size_t least = 4;  // samples

// Mid-ranks, less their mean.
std::vector<double> ranks(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  std::vector<double> result;
  for (const double x : samples) {
    const auto [first, last] = std::ranges::equal_range(sorted, x);
    const auto begin = first - sorted.begin(), end = last - sorted.begin();
    result.push_back(std::midpoint(static_cast<double>(begin), static_cast<double>(end - 1)) -
                     static_cast<double>(samples.size() - 1) / 2);
  }
  return result;
}

double two_sided(double z) { return 2 * cdf(complement(boost::math::normal(), std::abs(z))); }

// Pairs within groups of equal values, and the sum over groups of t (t - 1) (2 t + 5).
struct Ties {
  double pairs = 0, variance = 0;
};
Ties ties(std::span<const double> values) {
  std::map<double, double> groups;
  for (const double x : values) ++groups[x];
  Ties result;
  for (const auto& [value, t] : groups) {
    result.pairs += t * (t - 1) / 2;
    result.variance += t * (t - 1) * (2 * t + 5);
  }
  return result;
}

// Concordant pairs less discordant ones.
double concordance(std::span<const double> x, std::span<const double> y) {
  double score = 0;
  const auto sign = [](double d) { return d > 0 ? 1 : d < 0 ? -1 : 0; };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) score += sign(x[i] - x[j]) * sign(y[i] - y[j]);
  return score;
}

double tau(double score, double count, const Ties& x, const Ties& y) {
  const double all = count * (count - 1) / 2, scale = std::sqrt((all - x.pairs) * (all - y.pairs));
  return scale > 0 ? score / scale : 0;
}

}  // namespace

double kendall(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument("not as many x as y");
  return tau(concordance(x, y), static_cast<double>(x.size()), ties(x), ties(y));
}

Steadiness steadiness(std::span<const double> samples) {
  Steadiness result;
  const auto count = static_cast<double>(samples.size());
  const Ties tied = ties(samples);
  if (samples.size() < least || tied.pairs == count * (count - 1) / 2) return result;

  // The circular serial product of ranks has, over all orders, these mean and variance (Wald and Wolfowitz).
  const std::vector<double> r = ranks(samples);
  double product = r.back() * r.front(), squares = 0, fourths = 0;
  for (std::size_t i = 1; i < r.size(); ++i) product += r[i - 1] * r[i];
  for (const double x : r) squares += x * x, fourths += x * x * x * x;
  const double mean = -squares / (count - 1);
  const double variance = (squares * squares - fourths) / (count - 1) +
                          (squares * squares - 2 * fourths) / ((count - 1) * (count - 2)) - mean * mean;
  result.autocorrelation = product / squares;
  if (variance > 0) result.autocorrelation_p = two_sided((product - mean) / std::sqrt(variance));

  std::vector<double> time(samples.size());
  std::iota(time.begin(), time.end(), 0.0);
  const double score = concordance(time, samples);
  result.trend = tau(score, count, {}, tied);
  const double spread = std::sqrt((count * (count - 1) * (2 * count + 5) - tied.variance) / 18);
  const double nearer = score > 0 ? score - 1 : score < 0 ? score + 1 : 0;  // continuity
  result.trend_p = std::min(1.0, two_sided(nearer / spread));
  return result;
}

}  // namespace podium::measure
