// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Several runs as reports: what may stand in one report, what is left out, and what is refused. Entries of
// two runs are never ranked together: the rounds of a table are of one run. docs/results.md has the rules.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "suite/report/board.hpp"

namespace podium::report {

// Whether times are attested, and how caches were flushed; alike where times compare.
std::string method_of(const record::Provenance& provenance);
// The level of verification, which is alike where times stand in one report: "bench workloads, attested".
std::string level_of(const record::Provenance& provenance);

struct MixedRun {
  std::string name;  // of its folder
  const record::Run* run = nullptr;
  bool named = false;  // by the user, who gets all of it; else it was found in a folder
};

struct Mix {
  record::Run run;  // the entries of all its tables
  Report report;
};

struct Mixture {
  std::vector<Mix> reports;           // one for each device and level of verification
  std::vector<std::string> left_out;  // sentences: why tables of runs that were found are not shown
};

// Throws podium::Error, a sentence that says what to do, if runs that were named do not compare: another
// revision of a problem, another level of verification.
Mixture mix(std::span<const MixedRun> runs);

}  // namespace podium::report
