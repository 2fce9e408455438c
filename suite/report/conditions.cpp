// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "suite/measure/disturbance.hpp"
#include "suite/measure/samples.hpp"

namespace podium::report {
namespace {

std::optional<double> middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? std::nullopt : std::optional(measure::middle(values));
}

std::string bound(const Conditions& conditions) {
  return fmt::format("{:.0f} % of {:.0f} MHz", 100 * measure::ThrottleRule{}.least, conditions.reference_mhz);
}

}  // namespace

Conditions conditions_of(const std::vector<const record::Entry*>& entries) {
  Conditions result;
  std::vector<double> clocks, temperatures, powers, active, bandwidths, tensor;
  for (const record::Entry* entry : entries) {
    result.samples += static_cast<int>(entry->microseconds.size());
    result.discarded += entry->discarded;
    result.slow += entry->slow;
    result.reference_mhz = std::max(result.reference_mhz, entry->reference_mhz);
    for (const double clock : entry->clock_mhz)
      if (clock > 0) clocks.push_back(clock);
    const record::Reading& end = entry->telemetry.end;
    if (end.temperature_c) temperatures.push_back(*end.temperature_c);
    if (end.power_w) powers.push_back(*end.power_w);
    if (const auto& counters = entry->telemetry.counters) {
      if (counters->sm_active_percent) active.push_back(*counters->sm_active_percent);
      if (counters->memory_bandwidth_percent) bandwidths.push_back(*counters->memory_bandwidth_percent);
      if (counters->tensor_active_percent) tensor.push_back(*counters->tensor_active_percent);
    }
  }
  result.clock_mhz = middle_of(std::move(clocks));
  result.temperature_c = middle_of(std::move(temperatures));
  result.power_w = middle_of(std::move(powers));
  result.sm_active_percent = middle_of(std::move(active));
  result.memory_bandwidth_percent = middle_of(std::move(bandwidths));
  result.tensor_active_percent = middle_of(std::move(tensor));
  return result;
}

std::string discarded_text(const Conditions& conditions) {
  if (conditions.discarded == 0) return "";
  const int taken = conditions.samples + conditions.discarded;
  return fmt::format("of {} samples {} ({:.2g} %) were taken again: the device's clock had fallen below {}",
                     taken, conditions.discarded, 100.0 * conditions.discarded / taken, bound(conditions));
}

std::string throttled_text(const Conditions& conditions) {
  return fmt::format(
      "throttled: the device did not hold its clock, also after rests: more than one sample in twenty ran "
      "below {}",
      bound(conditions));
}

}  // namespace podium::report
