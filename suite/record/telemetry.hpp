// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the device said of itself around an entry's samples.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace podium::record {

// Absent: not known.
struct Reading {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c, power_w;
  std::vector<std::string> throttle;  // why the device holds back: "power cap", "temperature" ...
};

// The device's own counters over the time from before the first sample until after the last, the judge's work
// in it: percent of that time, or of the most that is possible in it.
struct Counters {
  double seconds = 0;
  std::optional<double> sm_active_percent, sm_occupancy_percent, tensor_active_percent,
      memory_bandwidth_percent;
};

struct Telemetry {
  std::string source;                  // "NVML"; "none: ..." and why; empty: recorded before there was any
  Reading end;                         // after the last sample
  std::optional<Counters> counters{};  // nothing: it has none, or the time was too short to tell
};

nlohmann::json to_json(const Telemetry& telemetry);
Telemetry telemetry_from(const nlohmann::json& json);  // throws podium::Error naming the field

}  // namespace podium::record
