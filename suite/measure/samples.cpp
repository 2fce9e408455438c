// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The median's distribution-free interval, and when an entry has samples enough.
#include "suite/measure/samples.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <vector>

namespace podium::measure {
namespace {

// The largest k for which the k-th smallest and k-th largest sample enclose the median with `confidence`,
// from 1; 0 if not even the extremes do. The number of samples below the median is binomial (n, 1/2),
// whatever the distribution: Thompson 1936; Conover, Practical Nonparametric Statistics, ch. 3.
std::size_t enclosing_rank(std::size_t count, double confidence) {
  const boost::math::binomial_distribution<double> below(static_cast<double>(count), 0.5);
  const auto ranks = std::views::iota(std::size_t{0}, count / 2);
  const auto encloses = [&](std::size_t rank) {
    return 1 - 2 * cdf(below, static_cast<double>(rank)) >= confidence;
  };
  return static_cast<std::size_t>(std::ranges::partition_point(ranks, encloses) - ranks.begin());
}

}  // namespace

double middle(std::span<const double> ascending) {
  return std::midpoint(ascending[(ascending.size() - 1) / 2], ascending[ascending.size() / 2]);
}

Median median(std::span<const double> samples, double confidence) {
  if (samples.empty()) throw std::invalid_argument("median of no samples");
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("confidence outside (0, 1)");
  if (!std::ranges::all_of(samples, [](double x) { return std::isfinite(x); }))
    throw std::invalid_argument("a sample is not finite");

  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const std::size_t count = sorted.size();
  const std::size_t skip = std::max<std::size_t>(enclosing_rank(count, confidence), 1) - 1;
  return {.value = middle(sorted), .low = sorted[skip], .high = sorted[count - 1 - skip]};
}

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::narrow:
      return "narrow";
    case Reason::budget:
      return "budget";
    case Reason::most:
      return "most";
    case Reason::long_calls:
      return "long calls";
    case Reason::more:
      break;
  }
  return "";
}

Reason stop(std::span<const double> samples, double seconds_spent, const Stopping& rule) {
  if (samples.empty()) return Reason::more;
  if (std::ssize(samples) < rule.least) {
    const double calls = std::accumulate(samples.begin(), samples.end(), 0.0);
    return calls >= 1e6 * rule.budget ? Reason::long_calls : Reason::more;
  }
  const Median middle = median(samples);
  if (middle.high - middle.low < rule.relative * middle.value) return Reason::narrow;
  if (std::ssize(samples) >= rule.most) return Reason::most;
  return seconds_spent >= rule.budget ? Reason::budget : Reason::more;
}

int repeats_for(double seconds, double microseconds, int most) {
  constexpr double least = 3, micro = 1e-6;
  if (!(microseconds > 0)) return static_cast<int>(least);
  return static_cast<int>(std::clamp(std::ceil(seconds / (micro * microseconds)), least, double(most)));
}

}  // namespace podium::measure
