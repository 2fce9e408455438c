// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What of a worker's word about a call is taken for an answer at all.
#pragma once
#include <fmt/format.h>

#include <cmath>

#include "suite/judge/bench.hpp"

namespace podium::judge {

// The time that a worker reports of the call with this ticket. Among numbers without an order, such as NaN,
// a median is anything.
inline double checked_time(const protocol::Finished& finished, std::uint32_t ticket) {
  if (finished.ticket != ticket)
    throw WorkerFailure(
        protocol::Verdict::broke_protocol,
        fmt::format("it said that call {} is finished, expected call {}", finished.ticket, ticket));
  if (!std::isfinite(finished.microseconds) || finished.microseconds < 0)
    throw WorkerFailure(
        protocol::Verdict::broke_protocol,
        fmt::format("it reported a time of {} µs, expected a finite one from 0 on", finished.microseconds));
  return finished.microseconds;
}

}  // namespace podium::judge
