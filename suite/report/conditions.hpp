// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How the device was while entries were timed: clock, temperature, power, counters, samples lost to a
// fallen clock.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace podium::report {

struct Conditions {
  std::optional<double> clock_mhz;               // median over samples
  std::optional<double> temperature_c, power_w;  // medians over entries, of what was read at their ends
  // Of the device's own counters over an entry's samples, the judge's work among them; medians over entries.
  std::optional<double> sm_active_percent, memory_bandwidth_percent, tensor_active_percent;
  double reference_mhz = 0;  // the highest that clocks were held against; 0: not known
  int samples = 0;           // that count
  int discarded = 0;         // taken again: the clock had fallen
  int slow = 0;              // that count although it had

  // More than one sample in twenty: the device did not hold its clock.
  bool throttled() const { return 20 * slow > samples; }
};

// Of timed entries; others say nothing.
Conditions conditions_of(const std::vector<const record::Entry*>& entries);

// What is said under a board of all its entries; "" where no clock fell.
std::string discarded_text(const Conditions& conditions);
std::string throttled_text(const Conditions& conditions);  // where a row is marked so

}  // namespace podium::report
