// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant in the rounds of one board, and where the seeds of its samples begin.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/contest/board_plan.hpp"
#include "suite/measure/attest.hpp"
#include "suite/record/record.hpp"

namespace podium::contest {

// One appearance in every block: a contestant, or the baseline's twin.
struct Competitor {
  const Entrant* entrant = nullptr;
  std::uint64_t owner = 0;
  bool twin = false;
  bool out = false;       // failed: takes no further part
  record::Entry failure;  // of one that is out: the entry that says why
  std::string excused;    // how it failed where that may be others' fault; it is to be measured alone then
  // Of the entry: how often its samples were begun. Each time they have other seeds, for a contestant that
  // had itself doubted would meet inputs that it knows.
  int tries = 0;
  // How long processes waited for processors while its samples were taken, and those behind one gate.
  double waited = 0, waited_together = 0;  // microseconds
  std::vector<double> between;  // microseconds reported of calls alone, after several that were not borne out
  std::vector<double> steady;   // the same of steady ones, among these
  // Workloads of rounds: of which it has been asked for a time, and which of these it has declined.
  std::set<int> asked, declined;
  std::set<int> waits;  // workloads whose calls cannot be queued behind one another: their gate opens first
  std::map<int, measure::Looks> looks;  // by workload: at calls that are also timed several at a time
};

// Where the seeds of an entry's samples begin: cold ones from 0, those behind one gate, and each column.
inline constexpr int try_indices = 100'000, together_index = 1'000'000, together_tries = 1000;
inline constexpr int column_index = 2'000'000, column_indices = 1000, column_tries = 100;

}  // namespace podium::contest
