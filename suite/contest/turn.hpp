// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of the runner share.
#pragma once
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/contest/run.hpp"
#include "suite/measure/attest.hpp"

namespace podium::contest {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One appearance in every block: a contestant, or the baseline's twin.
struct Runner::Turn {
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
  std::set<int> waits;  // workloads whose calls cannot be queued behind one another: their gate opens first
  std::map<int, measure::Looks> looks;  // by workload: at calls that are also timed several at a time
};

// What a board needs to go on where it was left, and the contestants that it has met.
struct Runner::Kept {
  bool parks = false;
  Overheads overheads, calmest;
  measure::Canaries canaries{0};
  std::vector<double> judges_seconds;
  std::map<const Entrant*, Turn> turns;
  // Entries so far, by contestant and workload. Those of one number have the same structure.
  std::map<std::pair<const Entrant*, int>, int> rounds;
};

// Where the seeds of an entry's samples begin: cold ones from 0, those behind one gate, and each column.
inline constexpr int try_indices = 100'000, together_index = 1'000'000, together_tries = 1000;
inline constexpr int column_index = 2'000'000, column_indices = 1000, column_tries = 100;

// For what no contestant takes part in: another judge does it if this one goes.
template <class Work>
auto Runner::with_judge(Work work) {
  for (;;) {
    try {
      return work();
    } catch (const DeviceLost&) {
      lose_device();
    }
  }
}

}  // namespace podium::contest
