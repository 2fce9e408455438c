// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A board while it is measured. It is kept while another one is, so that a caller may return to it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "suite/contest/board_monitor.hpp"
#include "suite/contest/competitor.hpp"
#include "suite/contest/context.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::contest {

class BoardState {
 public:
  BoardState(Context& run, const BoardPlan& plan);
  // Instances, and the judge's own work on every workload, before any contestant can be blamed for it. Comes
  // before all but blank() for a contestant as a whole. Throws ProblemFault.
  void prepare();

  const BoardPlan& plan;
  const problem::Instance& instance(int workload) const {
    return instances_[static_cast<std::size_t>(workload)];
  }
  // What a sample's own work of the judge may take.
  double judges_seconds(int workload) const { return judges_seconds_[static_cast<std::size_t>(workload)]; }
  BoardMonitor& monitor() { return monitor_; }
  const BoardMonitor& monitor() const { return monitor_; }

  // An entry of which nothing is known yet; workload -1: of the contestant as a whole.
  record::Entry blank(const Competitor& competitor, int workload, int round) const;
  // Whether a contestant lies beside its problem, where files are reviewed.
  bool at_home(const Entrant& entrant) const;
  // Under which a competitor's worker is parked; empty: it is not. The baseline and its twin have one each.
  std::string parking_key(const Competitor& competitor) const;
  void stop_parking() { parks_ = false; }

  // Of a caller that measures entry by entry.
  std::map<const Entrant*, Competitor> competitors;
  // Entries so far, by contestant and workload. Those of one number have the same structure.
  std::map<std::pair<const Entrant*, int>, int> rounds;

 private:
  bool may_park() const;
  void rehearse();

  Context& run_;
  bool parks_;                                // workers are kept between their turns
  std::vector<problem::Instance> instances_;  // by workload index
  std::vector<double> judges_seconds_;        // likewise
  BoardMonitor monitor_;
};

}  // namespace podium::contest
