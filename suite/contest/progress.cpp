// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/progress.hpp"

#include <algorithm>
#include <utility>

#include "suite/contest/context.hpp"

namespace podium::contest {

ProgressReporter::ProgressReporter(Watch watch, const std::vector<BoardPlan>& boards, int rounds)
    : watch_(std::move(watch)), boards_(&boards), rounds_(rounds), began_(std::chrono::steady_clock::now()) {}

// A board that is not built yet has no product that failed.
double ProgressReporter::entries_of(const BoardPlan& board) const {
  double entries = 0;
  if (board.broken || !board.unmet.empty()) return entries;
  for (const auto& entrant : board.entrants) {
    if (entrant.product.status != compile::Product::Status::built || entrant.out) continue;
    entries += static_cast<double>(board.tests.size() - entrant.verified.size());
    const int twins = entrant.contestant.name == board.baseline ? 2 : 1;
    entries += twins * std::max(0, rounds_ - board.first_round) * static_cast<double>(entrant.timed.size());
  }
  return entries;
}

void ProgressReporter::begin_board(const BoardPlan& board) {
  const auto index = static_cast<std::size_t>(&board - boards_->data());
  board_ = index + 1;
  all_entries_ = entries_done_;
  for (std::size_t left = index; left < boards_->size(); ++left) all_entries_ += entries_of((*boards_)[left]);
}

void ProgressReporter::tell(const record::Entry& entry) const {
  if (!watch_) return;
  Progress p;
  p.problem = entry.problem;
  p.types = entry.types;
  p.workload = entry.workload;
  p.contestant = entry.contestant;
  p.board = board_;
  p.boards = boards_->size();
  p.round = entry.round;
  p.rounds = rounds_;
  p.done = std::min(1.0, entries_done_ / std::max(1.0, all_entries_));
  if (p.done > 0.05) p.seconds_left = seconds_since(began_) * (1 - p.done) / p.done;
  watch_(p);
}

}  // namespace podium::contest
