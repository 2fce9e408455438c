// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From what the judge answers to what is recorded of an entry.
#pragma once
#include <optional>

#include "suite/protocol/protocol.hpp"
#include "suite/record/telemetry.hpp"

namespace podium::contest {

record::Telemetry telemetry_of(const protocol::TelemetryIs& is,
                               const std::optional<protocol::Counted>& counted = std::nullopt);

}  // namespace podium::contest
