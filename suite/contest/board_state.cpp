// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/board_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/instance/instantiate.hpp"

namespace podium::contest {
namespace {

std::vector<problem::Instance> instances_of(const BoardPlan& plan) {
  const auto& choice = plan.problem->choices[plan.choice];
  std::vector<problem::Instance> instances(plan.problem->workloads.size());
  for (std::size_t w = 0; w < instances.size(); ++w)
    if (on_board(plan.problem->workloads[w], choice))
      instances[w] = instantiate(*plan.problem, choice, plan.problem->workloads[w]);
  return instances;
}

}  // namespace

BoardState::BoardState(Context& run, const BoardPlan& board)
    : plan(board),
      run_(run),
      parks_(may_park()),
      monitor_(run, board.timed.empty() ? -1 : board.timed.front()) {}

void BoardState::prepare() {
  instances_ = instances_of(plan);
  rehearse();
}

// A judge that is lost may have been ended by something else; the problem is at fault if another one is lost
// as well.
void BoardState::rehearse() {
  constexpr double allowance =
      5;  // times what the rehearsal took; a sample verifies, flushes and copies beside
  judges_seconds_.assign(plan.problem->workloads.size(), 0);
  std::vector<int> all = plan.tests;
  all.insert(all.end(), plan.timed.begin(), plan.timed.end());
  bool lost = false;
  for (std::size_t next = 0; next < all.size();) {
    const int w = all[next];
    run_.sessions.with_judge([&] { run_.sessions.get(); });
    try {
      const auto began = std::chrono::steady_clock::now();
      run_.sessions.get().rehearse(w, run_.options.full);
      judges_seconds_[static_cast<std::size_t>(w)] = 1 + allowance * seconds_since(began);
      ++next;
    } catch (const DeviceLost& e) {
      run_.sessions.replace();
      if (!std::exchange(lost, true)) continue;
      const auto& workload = plan.problem->workloads[static_cast<std::size_t>(w)];
      throw ProblemFault(fmt::format(
          "{}:{}: workload {}: its fills and references end the judge, even without a contestant: {}",
          workload.at.file, workload.at.line, workload.name, e.what()));
    }
  }
}

// Not with foreign files, which nobody has looked through, not under a tool that reports at a worker's end,
// and not groups, whose ranks go on only together.
bool BoardState::may_park() const {
  const RunOptions& options = run_.options;
  if (options.isolated || options.rounds == 0 || !options.limits.under.empty() || ranks_of(plan) > 1)
    return false;
  return std::ranges::all_of(plan.entrants, [&](const Entrant& entrant) { return at_home(entrant); });
}

bool BoardState::at_home(const Entrant& entrant) const {
  return compile::at_home(*plan.problem, entrant.contestant.file);
}

std::string BoardState::parking_key(const Competitor& competitor) const {
  if (!parks_) return "";
  return competitor.entrant->contestant.name + (competitor.twin ? "/twin" : "");
}

record::Entry BoardState::blank(const Competitor& competitor, int workload, int round) const {
  record::Entry entry;
  entry.problem = plan.problem->name;
  entry.types = plan.problem->choices[plan.choice].name;
  entry.contestant = competitor.entrant->contestant.name;
  entry.twin = competitor.twin;
  entry.emulated = competitor.entrant->emulated;
  entry.round = round;
  entry.series = plan.series;
  entry.verdict = Verdict::right;
  entry.excused = competitor.excused;
  if (workload >= 0) {
    const auto& of = instance(workload);
    entry.workload = of.workload;
    entry.stage = name_of(of.stage);
    entry.bytes = of.bytes;
    entry.flops = of.flops;
  }
  return entry;
}

}  // namespace podium::contest
