// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge's interval holds beside the call itself, shown by the trusted empty contestant.
#pragma once
#include <variant>

#include "suite/base/backend.hpp"
#include "suite/contest/session.hpp"
#include "suite/measure/attest.hpp"

namespace podium::contest {

inline constexpr int overhead_samples = 25;  // of the empty contestant, each way

struct Overheads {
  measure::Overhead usual;
  measure::Overhead waiting;  // of contestants that wait inside `run`: their gate opens before the call
  double clock = 0;           // MHz that the device held meanwhile; 0: not known
};

// Of each kind the one with the smaller tolerance, the clock of `now`.
Overheads calmer(const Overheads& now, const Overheads& before);

double least_tolerance(const Backend& backend);  // microseconds

// Starts the empty contestant on `workload` of the session's board, samples it both ways and releases it.
// Microseconds. Throws DeviceLost.
std::variant<Overheads, Failure> measure_overhead(Session& session, int workload);

}  // namespace podium::contest
