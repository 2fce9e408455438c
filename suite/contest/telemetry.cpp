// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/telemetry.hpp"

#include "suite/base/known.hpp"
#include "suite/base/throttle_reason.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::contest {
namespace {

record::Reading reading_of(const protocol::TelemetryIs& is) {
  return {.sm_clock_mhz = known(is.sm_clock),
          .memory_clock_mhz = known(is.memory_clock),
          .temperature_c = known(is.temperature),
          .power_w = known(is.power),
          .throttle = throttle_names(is.throttle)};
}

}  // namespace

record::Telemetry telemetry_of(const protocol::TelemetryIs& is,
                               const std::optional<protocol::Counted>& counted) {
  record::Telemetry telemetry{
      .source = protocol::get(is.source), .end = reading_of(is), .counters = std::nullopt};
  if (counted && known(counted->seconds))
    telemetry.counters = {.seconds = counted->seconds,
                          .sm_active_percent = known(counted->sm_active),
                          .sm_occupancy_percent = known(counted->sm_occupancy),
                          .tensor_active_percent = known(counted->tensor_active),
                          .memory_bandwidth_percent = known(counted->memory_bandwidth)};
  return telemetry;
}

}  // namespace podium::contest
