// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether an entry's times hold against the judge's clock. Entries in, doubts out: no device takes part.
#pragma once
#include <optional>

#include "suite/contest/competitor.hpp"
#include "suite/contest/session.hpp"

namespace podium::contest {

// The judge's clock does not bear out the times of an entry.
struct Disagreement {
  Failure failure;
  // Processes waited for processors at least half as long as all that is unexplained: no time to accuse.
  bool starved;
  bool accuses;  // false: it looks the same for an honest contestant
};

// Call by call.
std::optional<Disagreement> disagreement_alone(const Competitor& competitor, const record::Entry& entry,
                                               const measure::Overhead& overhead);

// What calls behind one gate are held against.
struct ClockLimits {
  measure::Overhead overhead;  // in force
  measure::Overhead calmest;   // that the board has seen
  double write_back = 0;       // microseconds that memory takes for what a call can leave in the last cache
};
// Of several calls behind one gate, if there were any.
std::optional<Disagreement> disagreement_together(const Competitor& competitor, int workload,
                                                  const record::Entry& entry, const ClockLimits& limits);
// Whether calls alone, taken after the several, bear out the entry's median.
bool borne_out_alone(const Competitor& competitor, const record::Entry& entry, const ClockLimits& limits);

// Where the machine is too busy to tell a lie from a late wake-up: times by the judge's clock, less the
// overhead's `constant`. They are no shorter than the true ones, and charge an honest contestant for the
// noise.
void use_judges_times(record::Entry& entry, double constant);

}  // namespace podium::contest
