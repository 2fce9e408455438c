// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Takes the samples of an entry: those that rank, several calls behind one gate, energy and the columns
// beside. The worker has been started.
#pragma once
#include <optional>

#include "suite/contest/attest_entry.hpp"
#include "suite/contest/board_state.hpp"

namespace podium::contest {

class EntrySampler {
 public:
  EntrySampler(Context& run, BoardState& board) : run_(run), board_(board) {}

  // All of a blank entry's, from the instance's beginning to its end. Returns why the contestant failed, if
  // it did.
  std::optional<Failure> take(Competitor& competitor, int workload, record::Entry& entry);
  // What the entry's several calls are held against.
  ClockLimits limits_for(const record::Entry& entry);
  // Microseconds below which no call can take, by the device's memory; of the entry that has just begun.
  double least_time();

 private:
  std::optional<Failure> begin(const Competitor& competitor, int workload, int round);
  void take_constructor(record::Entry& entry);
  void take_link(int workload, record::Entry& entry);
  std::optional<Failure> take_ranked(Competitor& competitor, record::Entry& entry, int& index);
  std::optional<Failure> take_together(Competitor& competitor, int workload, record::Entry& entry, int index);
  std::optional<Failure> take_energy(int workload, record::Entry& entry);
  std::optional<Failure> take_columns(const Competitor& competitor, int workload, record::Entry& entry);
  std::optional<Failure> take_column(record::Measurement& column, protocol::Mode mode,
                                     const record::Entry& entry, int first);
  Session& session() { return run_.sessions.get(); }
  double write_back();

  Context& run_;
  std::vector<double> skews_;  // of the samples of the entry, microseconds
  BoardState& board_;
};

}  // namespace podium::contest
