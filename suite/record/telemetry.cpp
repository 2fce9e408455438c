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

}  // namespace

nlohmann::json to_json(const Telemetry& telemetry) {
  return {{"source", telemetry.source}, {"end", to_json(telemetry.end)}};
}

Telemetry telemetry_from(const nlohmann::json& json) {
  const Fields fields(json, "entry: telemetry");
  Telemetry telemetry;
  fields.read("source", telemetry.source);
  telemetry.end = reading_from(fields, "end");
  return telemetry;
}

}  // namespace podium::record
