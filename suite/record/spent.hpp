// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the wall time of a run went: "spent" in run.json.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

#include "suite/record/waits.hpp"

namespace podium::record {

// Seconds of wall time.
struct Spent {
  double building = 0;    // contestants and judge's programs, compiled or found in the cache
  double copy_rate = 0;   // a board's, measured once
  double rehearsals = 0;  // the judge's work on each workload, before any contestant
  double starts = 0;      // of judges and workers, and their ends
  double warm_ups = 0;    // instances: made, called once with the gate open, destroyed
  double columns = 0;     // samples beside those that rank: hot, end to end, graphs, energy; all of each
  double calls = 0;       // timed calls, by the device's clock
  double fills = 0;       // inputs drawn and written, outputs poisoned, caches flushed
  double checks = 0;      // outputs copied and verified, guards and inputs compared
  double waits = 0;       // what is left of samples: messages, wake-ups, threads stopped and let go
  double canaries = 0;    // the device looked at before each entry
  double readings = 0;    // of clocks, temperature, power and energy
  double rests = 0;       // until a disturbed device, a fallen clock or a busy machine is looked at again
  std::int64_t samples = 0;
  // Of a sample's wait, in microseconds: medians over those before which caches were flushed, and over those
  // before which they were not. 0: not known.
  double wait = 0, wait_unflushed = 0;
  Wait parts, parts_unflushed;

  double sum() const;                     // of the seconds
  Spent& operator+=(const Spent& other);  // of the seconds and samples
};

nlohmann::json to_json(const Spent& spent);
// What is absent is 0. Throws podium::Error naming the field.
Spent spent_from(const nlohmann::json& json);

}  // namespace podium::record
