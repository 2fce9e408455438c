// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entries of one board sorted by contestant, workload and round.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace podium::report {

struct Gathered {
  std::string contestant;
  // [workload][round] -> median in microseconds, of the contestant and of its second appearance.
  std::vector<std::map<int, double>> times, twin_times;
  std::vector<std::string> declined;  // by workload: why it is not run; empty: it is
  std::vector<double> bytes, flops;   // by workload; 0: not stated
  std::vector<double> written;        // by workload, of bytes; negative: not known
  // By workload: of the rounds that measured it; and why, if there is a reason, the first that did not.
  std::vector<record::ByMetric<std::vector<double>>> metrics;
  std::vector<record::ByMetric<std::string>> unmeasured;
  std::optional<record::RecordedVerdict> failure;  // the first thing that went wrong
  std::string text;                                // of that
  std::optional<record::RecordedVerdict> refusal;  // if declined altogether or on a test workload
  std::string refusal_text;
  bool emulated = false, verified = false, blocking = false;
  bool judged = false;  // a round's times are by the judge's clock
  double worst = 0;
  double exact = -1;
  record::Checked checked;  // in all entries

  bool timed() const;  // takes part in rounds and has not failed
  bool timed_twin() const;
};

// Of one board, and of its verification.
std::vector<const record::Entry*> entries_of(const record::Run& run, const std::string& problem,
                                             const std::string& types, const std::string& stage, int series);
// The same of all series: of each contestant those of the last that it takes part in.
std::vector<const record::Entry*> newest_entries_of(const record::Run& run, const std::string& problem,
                                                    const std::string& types, const std::string& stage);

// One for each contestant, in order of appearance. `entries` are those of the board and of its verification.
std::vector<Gathered> gather(const std::vector<const record::Entry*>& entries,
                             const std::vector<std::string>& workloads);

// How many rounds, from the first, every contestant that takes part has finished on every workload it runs.
int complete_rounds(const std::vector<Gathered>& all);

}  // namespace podium::report
