// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From what the judge answers to what is recorded of an entry.
#pragma once
#include "suite/protocol/protocol.hpp"
#include "suite/record/telemetry.hpp"

namespace podium::contest {

// `seconds` lay between the two.
record::Telemetry telemetry_of(const protocol::TelemetryIs& start, const protocol::TelemetryIs& end,
                               double seconds);

}  // namespace podium::contest
