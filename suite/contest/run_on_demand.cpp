// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Single entries in whatever order a caller wants them, as Google Benchmark does. Switching boards ends the
// workers, since the judge holds one board at a time; what was measured of the board itself is kept.
#include "suite/contest/turn.hpp"

namespace podium::contest {

void Runner::keep_board() {
  const auto known = kept_.find(board_);
  if (known == kept_.end()) return;
  Kept& kept = *known->second;
  kept.parks = parks_;
  kept.overheads = overheads_;
  kept.calmest = calmest_;
  kept.canaries = canaries_;
  kept.judges_seconds = judges_seconds_;
}

Runner::Kept& Runner::return_to(const BoardPlan& board) {
  if (board_ == &board) return *kept_.at(&board);
  keep_board();
  lost_ = 0;
  enter(board);
  const auto known = kept_.find(&board);
  if (known == kept_.end()) {
    rehearse();
    meet_overhead();
    meet_canary();
    return *kept_.emplace(&board, std::make_unique<Kept>()).first->second;
  }
  const Kept& kept = *known->second;
  parks_ = kept.parks;
  overheads_ = kept.overheads;
  calmest_ = kept.calmest;
  canaries_ = kept.canaries;
  judges_seconds_ = kept.judges_seconds;
  return *known->second;
}

void Runner::measure(const BoardPlan& board, const Entrant& entrant, int workload,
                     const measure::Stopping& rule) {
  watch_ = nullptr;  // progress is the caller's
  if (!board.unmet.empty()) {
    keep_board();
    return leave_out(board);
  }
  Kept& kept = return_to(board);
  const auto [turn, first] = kept.turns.try_emplace(&entrant);
  if (first) {
    turn->second.entrant = &entrant;
    turn->second.owner = static_cast<std::uint64_t>(&entrant - board.entrants.data()) + 1;
    verify(turn->second);
    if (turn->second.out) return;
  }
  if (turn->second.out) return sink_(turn->second.failure);
  options_.stopping = rule;
  const int index = kept.rounds[{&entrant, workload}]++;  // an entry's inputs depend on it: none come twice
  measure(turn->second, index, std::span(&workload, 1));
}

}  // namespace podium::contest
