// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/telemetry.hpp"

#include <cmath>

#include "suite/base/throttle_reason.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::contest {
namespace {

std::optional<double> known(double value) { return std::isnan(value) ? std::nullopt : std::optional(value); }

record::Reading reading_of(const protocol::TelemetryIs& is) {
  return {.sm_clock_mhz = known(is.sm_clock),
          .memory_clock_mhz = known(is.memory_clock),
          .temperature_c = known(is.temperature),
          .power_w = known(is.power),
          .throttle = throttle_names(is.throttle)};
}

}  // namespace

record::Telemetry telemetry_of(const protocol::TelemetryIs& start, const protocol::TelemetryIs& end,
                               double seconds) {
  return {.source = protocol::get(end.source),
          .start = reading_of(start),
          .end = reading_of(end),
          .energy_j = known(end.energy - start.energy),
          .seconds = seconds};
}

}  // namespace podium::contest
