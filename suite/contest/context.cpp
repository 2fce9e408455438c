// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/context.hpp"

#include <fmt/format.h>

#include <utility>

namespace podium::contest {

namespace {

constexpr int most_lost = 3;  // devices lost before the run gives up

}  // namespace

Sessions::Sessions(Executables executables, int device, Limits limits)
    : executables_(std::move(executables)), device_(device), limits_(std::move(limits)) {}

Session& Sessions::get() {
  if (!session_) {
    session_ = std::make_unique<Session>(executables_, device_, limits_);
    const auto secret = session_->secret();
    secrets_.insert(secrets_.end(), secret.begin(), secret.end());
    if (board_) load(*board_);
  }
  return *session_;
}

void Sessions::hide(const std::filesystem::path& folder) {
  limits_.hidden = folder;
  if (session_) session_->workers().hide(folder);
}

void Sessions::enter(const BoardPlan& board) {
  board_ = nullptr;  // a judge that has to be started is loaded below
  lost_ = 0;
  with_judge([&] {
    get();
    load(board);
  });
  board_ = &board;
}

void Sessions::load(const BoardPlan& board) {
  session_->load(*board.problem, board.choice, board.program, board.reference.file);
  std::vector<int> all = board.tests;
  all.insert(all.end(), board.timed.begin(), board.timed.end());
  session_->board(all);
}

void Sessions::replace() {
  spent_ = spent();
  waits_ = waits();
  session_.reset();
  if (++lost_ > most_lost)
    throw DeviceLost(fmt::format("the device was lost {} times; the run ends here", lost_));
}

void Sessions::refresh() {
  if (session_ && session_->lost()) replace();
  with_judge([&] { get(); });
}

record::Spent Sessions::spent() const {
  record::Spent all = spent_;
  if (session_) all += session_->spent();
  const auto waits = this->waits();
  all.wait = record::median_wait(waits, true);
  all.wait_unflushed = record::median_wait(waits, false);
  all.parts = record::median_parts(waits, true);
  all.parts_unflushed = record::median_parts(waits, false);
  return all;
}

std::vector<record::Wait> Sessions::waits() const {
  std::vector<record::Wait> all = waits_;
  if (session_) all.insert(all.end(), session_->waits().begin(), session_->waits().end());
  return all;
}

}  // namespace podium::contest
