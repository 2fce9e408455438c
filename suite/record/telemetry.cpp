// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/telemetry.hpp"

#include "suite/record/fields.hpp"

namespace podium::record {
namespace {

void write(nlohmann::json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = number(*value);
}

void read(const Fields& fields, const char* key, std::optional<double>& value) {
  if (!fields.find(key)) return;
  double known = 0;
  fields.read(key, known);
  value = known;
}

nlohmann::json to_json(const Reading& reading) {
  auto json = nlohmann::json::object();
  write(json, "sm_clock_mhz", reading.sm_clock_mhz);
  write(json, "memory_clock_mhz", reading.memory_clock_mhz);
  write(json, "temperature_c", reading.temperature_c);
  write(json, "power_w", reading.power_w);
  if (!reading.throttle.empty()) json["throttle"] = reading.throttle;
  return json;
}

Reading reading_from(const Fields& entry, const char* key) {
  Reading reading;
  const nlohmann::json* json = entry.find(key);
  if (!json) return reading;
  const Fields fields(*json, std::string("entry: telemetry: ") + key);
  read(fields, "sm_clock_mhz", reading.sm_clock_mhz);
  read(fields, "memory_clock_mhz", reading.memory_clock_mhz);
  read(fields, "temperature_c", reading.temperature_c);
  read(fields, "power_w", reading.power_w);
  fields.read("throttle", reading.throttle);
  return reading;
}

nlohmann::json to_json(const Counters& counters) {
  nlohmann::json json{{"seconds", number(counters.seconds)}};
  write(json, "sm_active_percent", counters.sm_active_percent);
  write(json, "sm_occupancy_percent", counters.sm_occupancy_percent);
  write(json, "tensor_active_percent", counters.tensor_active_percent);
  write(json, "memory_bandwidth_percent", counters.memory_bandwidth_percent);
  return json;
}

std::optional<Counters> counters_from(const Fields& entry) {
  const nlohmann::json* json = entry.find("counters");
  if (!json) return std::nullopt;
  const Fields fields(*json, "entry: telemetry: counters");
  Counters counters;
  fields.read("seconds", counters.seconds);
  read(fields, "sm_active_percent", counters.sm_active_percent);
  read(fields, "sm_occupancy_percent", counters.sm_occupancy_percent);
  read(fields, "tensor_active_percent", counters.tensor_active_percent);
  read(fields, "memory_bandwidth_percent", counters.memory_bandwidth_percent);
  return counters;
}

}  // namespace

nlohmann::json to_json(const Telemetry& telemetry) {
  nlohmann::json json{{"source", telemetry.source}, {"end", to_json(telemetry.end)}};
  if (telemetry.counters) json["counters"] = to_json(*telemetry.counters);
  return json;
}

Telemetry telemetry_from(const nlohmann::json& json) {
  const Fields fields(json, "entry: telemetry");
  Telemetry telemetry;
  fields.read("source", telemetry.source);
  telemetry.end = reading_from(fields, "end");
  telemetry.counters = counters_from(fields);
  return telemetry;
}

}  // namespace podium::record
