// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/sick.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "suite/measure/samples.hpp"
#include "suite/rank/student.hpp"

namespace podium::cluster {
namespace {

constexpr double mad_to_deviation = 1.4826;  // of a normal distribution
constexpr double mad_efficiency = 0.37;
constexpr double median_error = 1.2533;  // of a median of n, in deviations over sqrt(n)
constexpr double infinite = std::numeric_limits<double>::infinity();

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return measure::middle(values);
}

// A device's readings of one measure: the logarithm of its median, and how sure that is.
struct Level {
  const NodeRecord* node = nullptr;
  double value = 0, low = 0, high = 0;
};

const std::vector<double>& samples_of(const Reading& reading, Measure measure) {
  return measure == Measure::common ? reading.common : reading.canary;
}

std::optional<Level> level_of(const NodeRecord& node, Measure measure) {
  std::vector<double> samples;
  for (const Reading& reading : node.readings)
    std::ranges::copy_if(samples_of(reading, measure), std::back_inserter(samples),
                         [](double time) { return time > 0 && std::isfinite(time); });
  if (samples.empty()) return std::nullopt;
  const measure::Median median = measure::median(samples);
  return Level{&node, std::log(median.value), std::log(median.low), std::log(median.high)};
}

double percent(double log_ratio) { return 100 * std::expm1(log_ratio); }

// What most devices of a type have, of each property of their environment.
std::map<std::string, std::string> usual_environment(const std::vector<Level>& levels) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const Level& level : levels)
    for (const auto& [name, value] : level.node->environment) ++counts[name][value];
  std::map<std::string, std::string> usual;
  for (const auto& [name, values] : counts)
    for (const auto& [value, count] : values)
      if (2 * count > levels.size()) usual[name] = value;
  return usual;
}

std::vector<std::string> unlike(const NodeRecord& node, const std::map<std::string, std::string>& usual) {
  std::vector<std::string> all;
  for (const auto& [name, value] : node.environment)
    if (const auto most = usual.find(name); most != usual.end() && most->second != value)
      all.push_back(fmt::format("{} is {}, not {}", name, value, most->second));
  return all;
}

SickDevice sick_device(const Level& level, const std::string& type, Measure measure, const Spread& spread,
                       const std::vector<Level>& levels) {
  // Of the type's median.
  const double error = 1.96 * median_error * spread.spread / std::sqrt(static_cast<double>(levels.size()));
  SickDevice sick{.node = level.node->node,
                  .device = level.node->device,
                  .type = type,
                  .measure = measure,
                  .slowdown = {.value = level.value - spread.center,
                               .low = level.low - spread.center - error,
                               .high = level.high - spread.center + error},
                  .devices = levels.size(),
                  .limit = spread.limit,
                  .unlike = unlike(*level.node, usual_environment(levels))};
  std::set<std::string> shards;
  for (const Reading& reading : level.node->readings) shards.insert(reading.shard);
  sick.shards.assign(shards.begin(), shards.end());
  return sick;
}

void examine(const std::string& type, const std::vector<const NodeRecord*>& nodes, Health& health) {
  std::set<const NodeRecord*> named;
  for (const Measure measure : {Measure::common, Measure::canary}) {
    std::vector<Level> levels;
    for (const NodeRecord* node : nodes)
      if (const auto level = level_of(*node, measure)) levels.push_back(*level);
    if (levels.empty()) continue;
    std::vector<double> values;
    for (const Level& level : levels) values.push_back(level.value);
    const Spread spread = spread_of(values, false_alarms / 2);  // of two measures
    health.types.push_back({.type = type,
                            .measure = measure,
                            .devices = levels.size(),
                            .percent = percent(spread.spread),
                            .detectable_percent = percent(spread.limit)});
    for (const Level& level : levels)
      if (level.value - spread.center > spread.limit && named.insert(level.node).second)
        health.sick.push_back(sick_device(level, type, measure, spread, levels));
  }
}

}  // namespace

Spread spread_of(std::span<const double> log_times, double alpha) {
  const auto count = static_cast<double>(log_times.size());
  Spread result{.limit = infinite};
  if (log_times.empty()) return result;
  result.center = median_of({log_times.begin(), log_times.end()});
  std::vector<double> deviations;
  for (const double value : log_times) deviations.push_back(std::abs(value - result.center));
  result.spread = mad_to_deviation * median_of(deviations);
  if (log_times.size() < fewest_devices) return result;
  const rank::Mean next{.value = 0,
                        .error = result.spread * std::sqrt(1 + median_error * median_error / count),
                        .freedom = mad_efficiency * (count - 1)};
  // Only slow devices count: one side.
  result.limit = std::max(std::log1p(least_slowdown), rank::half_width(next, 2 * alpha / count));
  return result;
}

std::string_view name_of(Measure measure) {
  return measure == Measure::common ? "the common contestant" : "the canary";
}

std::string SickDevice::evidence() const {
  return fmt::format(
      "{} {} ({}): {} takes {:.1f} % longer ({:.1f} to {:.1f} %) than the median of {} devices of its type, "
      "of "
      "which none should exceed {:.1f} %{}{}",
      node, device, type, name_of(measure), percent(slowdown.value), percent(slowdown.low),
      percent(slowdown.high), devices, percent(limit), unlike.empty() ? "" : "; ", fmt::join(unlike, ", "));
}

Health health_of(const std::vector<NodeRecord>& nodes) {
  std::map<std::string, std::vector<const NodeRecord*>> types;
  for (const NodeRecord& node : nodes) types[record::slug(node.key)].push_back(&node);
  Health health;
  for (const auto& [type, of] : types) examine(type, of, health);
  std::ranges::stable_sort(health.sick, {},
                           [](const SickDevice& s) { return std::tie(s.type, s.node, s.device); });
  return health;
}

}  // namespace podium::cluster
