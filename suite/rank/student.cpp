// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/rank/student.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace podium::rank {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

boost::math::students_t_distribution<double> student(const Mean& mean) {
  return boost::math::students_t_distribution<double>(mean.freedom);
}

}  // namespace

Mean mean(std::span<const double> observations) {
  if (observations.empty()) throw std::invalid_argument("mean of no observations");
  const double count = static_cast<double>(observations.size());
  const double value = std::accumulate(observations.begin(), observations.end(), 0.0) / count;
  if (observations.size() == 1) return {.value = value, .error = infinity};
  double squares = 0;
  for (const double x : observations) squares += (x - value) * (x - value);
  return {.value = value, .error = std::sqrt(squares / (count - 1) / count), .freedom = count - 1};
}

Mean difference(std::span<const double> a, std::span<const double> b) {
  const Mean first = mean(a), second = mean(b);
  Mean result{.value = first.value - second.value, .error = std::hypot(first.error, second.error)};
  if (first.freedom == 0 || second.freedom == 0) return result;
  const double one = first.error * first.error, other = second.error * second.error, both = one + other;
  result.freedom = both == 0 ? first.freedom + second.freedom
                             : both * both / (one * one / first.freedom + other * other / second.freedom);
  return result;
}

double half_width(const Mean& mean, double alpha) {
  if (mean.freedom == 0) return infinity;
  return quantile(complement(student(mean), alpha / 2)) * mean.error;
}

double p_beyond(const Mean& mean, double margin) {
  const double distance = std::abs(mean.value) - margin;
  if (mean.freedom == 0 || !(distance > 0)) return 1;
  if (mean.error == 0) return 0;
  return 2 * cdf(complement(student(mean), distance / mean.error));
}

std::vector<Holm> holm(std::span<const double> p, double alpha) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });

  std::vector<Holm> results(p.size());
  std::size_t step = 0;
  for (bool rejecting = true; const std::size_t i : order) {
    const double level = alpha / static_cast<double>(p.size() - step);
    rejecting = rejecting && p[i] < level;
    results[i] = {.rejected = rejecting, .alpha = level};
    if (rejecting) ++step;
  }
  return results;
}

std::vector<Decision> decide(std::span<const Mean> means, double margin, double alpha) {
  std::vector<double> p;
  for (const Mean& mean : means) p.push_back(p_beyond(mean, margin));
  const std::vector<Holm> tests = holm(p, alpha);
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (tests[i].rejected)
      decisions.push_back(means[i].value < 0 ? Decision::less : Decision::more);
    else if (std::abs(means[i].value) + half_width(means[i], tests[i].alpha) <= margin)
      decisions.push_back(Decision::equal);
    else
      decisions.push_back(Decision::undecided);
  }
  return decisions;
}

}  // namespace podium::rank
