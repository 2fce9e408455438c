// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How far a run is, told before each entry.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "suite/contest/board_plan.hpp"
#include "suite/record/record.hpp"

namespace podium::contest {

struct Progress {
  std::string problem, types, workload, contestant;
  std::size_t board = 0, boards = 0;  // its number, from 1 on, of how many
  int round = -1, rounds = 0;         // -1: verification
  double done = 0;                    // share of the run, 0 to 1
  double seconds_left = -1;           // estimate; negative: not known yet
};

class ProgressReporter {
 public:
  using Watch = std::function<void(const Progress&)>;

  ProgressReporter() = default;  // tells nobody
  // `boards` outlive it.
  ProgressReporter(Watch watch, const std::vector<BoardPlan>& boards, int rounds);

  // Counts anew what is left: `board`, the next one, has been built.
  void begin_board(const BoardPlan& board);
  void tell(const record::Entry& entry) const;  // before it is measured
  void count_entry() { entries_done_ += 1; }

 private:
  double entries_of(const BoardPlan& board) const;

  Watch watch_;
  const std::vector<BoardPlan>* boards_ = nullptr;
  int rounds_ = 0;
  std::size_t board_ = 0;                      // from 1 on
  double entries_done_ = 0, all_entries_ = 1;  // these as far as is known
  std::chrono::steady_clock::time_point began_;
};

}  // namespace podium::contest
