// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/attest.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace podium::measure {
namespace {

constexpr double spread_factor = 4;  // times the empty contestant's interquartile range
constexpr double relative_tolerance =
    0.03;  // of the reported time: clocks of two processors, frequency changes

double quantile(std::vector<double> values, double p) {
  const auto at = static_cast<std::size_t>(p * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

std::vector<double> differences(std::span<const double> reported, std::span<const double> judged) {
  std::vector<double> all(std::min(reported.size(), judged.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = judged[i] - reported[i];
  return all;
}

}  // namespace

Overhead overhead(std::span<const double> reported, std::span<const double> judged, double least) {
  const auto all = differences(reported, judged);
  if (all.empty()) return {0, least, 0};
  const double spread = quantile(all, 0.75) - quantile(all, 0.25);
  return {quantile(all, 0.5), std::max(least, spread_factor * spread),
          quantile({reported.begin(), reported.end()}, 0.5)};
}

bool as_calm(const Overhead& now, const Overhead& calmest) {
  return now.tolerance <= busy_factor * calmest.tolerance &&
         now.constant <= calmest.constant + calmest.tolerance;
}

Overhead calmer(const Overhead& one, const Overhead& other) {
  if (one.tolerance != other.tolerance) return one.tolerance < other.tolerance ? one : other;
  return one.constant <= other.constant ? one : other;
}

Attestation attest(std::span<const double> reported, std::span<const double> judged,
                   const Overhead& overhead) {
  const auto all = differences(reported, judged);
  if (all.empty()) return {};
  Attestation result;
  const double median = quantile({reported.begin(), reported.end()}, 0.5);
  const double interval = quantile({judged.begin(), judged.end()}, 0.25);
  result.excess = std::max(quantile(all, 0.25), interval - median) - overhead.constant;
  result.tolerance = overhead.tolerance + relative_tolerance * median;
  result.agrees = result.excess <= result.tolerance;
  return result;
}

bool certain(const Attestation& found, bool waits) {
  constexpr double of_waiting = 3;  // times the tolerance
  return found.excess > (waits ? of_waiting : 1) * found.tolerance;
}

Calls calls_together(double microseconds, const Overhead& overhead, int room) {
  constexpr double enough = 10;  // times the tolerance
  const double wanted = enough * overhead.tolerance;
  if (microseconds >= wanted || room < 2) return {1, 1};
  const int of_room = 2 * room / 3;
  const bool too_many = microseconds * of_room <= wanted;
  const int least = too_many ? of_room : static_cast<int>(std::ceil(wanted / microseconds));
  return {least, std::min(room, 2 * least)};
}

Attestation attest_together(double single, std::span<const double> judged, int calls,
                            const Overhead& overhead) {
  if (judged.empty()) return {};
  const double each = (*std::ranges::min_element(judged) - overhead.constant) / calls;
  Attestation result;
  result.excess = each - single;
  result.tolerance = overhead.tolerance / calls + relative_tolerance * single;
  result.agrees = result.excess <= result.tolerance;
  return result;
}

bool Looks::confirms(double median, const Overhead& calmest) const {
  return std::ranges::any_of(looks_, [&](const Look& look) {
    return attest_together(median, {&look.judged, 1}, look.calls, calmest).agrees;
  });
}

}  // namespace podium::measure
