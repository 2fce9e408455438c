// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs boards: verification of every contestant, then rounds in randomised complete blocks.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/contest/board_state.hpp"
#include "suite/contest/context.hpp"
#include "suite/contest/progress.hpp"
#include "suite/record/record.hpp"

namespace podium::contest {

class BoardRunner {
 public:
  using Sink = std::function<void(const record::Entry&)>;

  BoardRunner(Executables executables, const RunOptions& options, Sink sink);

  const protocol::Opened& device() { return run_.sessions.get().device(); }  // starts the judge
  void hide(const std::filesystem::path& folder) { run_.sessions.hide(folder); }
  protocol::Calibrated memory_rates();  // measured now
  // Failures of contestants become entries; a board whose problem is at fault is left, and a sentence kept
  // for it. `before` may build a board that has not been built yet; `after` follows a board that ran to its
  // end, or whose problem is at fault. Throws DeviceLost if the judge could not be brought back.
  using Step = std::function<void(const BoardPlan&)>;
  void run(const std::vector<BoardPlan>& boards, const ProgressReporter::Watch& watch = {},
           const Step& before = {}, const Step& after = {});
  // In place of run(), and as often as it is called: one entry of a contestant on a workload that it is timed
  // on, with the number of samples that `rule` wants. Prepares the board and verifies the contestant when
  // they are first needed. The sink's last entry is the result; that of a contestant which failed before is
  // its failure. Throws ProblemFault, DeviceLost.
  void measure(const BoardPlan& plan, const Entrant& entrant, int workload, const measure::Stopping& rule);
  const std::vector<std::string>& faults() const { return faults_; }  // of problems, one sentence a board
  // Of every judge there was, in pairs.
  const std::vector<std::uint64_t>& secrets() const { return run_.sessions.secrets(); }
  record::Spent spent() const { return run_.sessions.spent(); }  // of wall time, but for building
  // Of the empty contestant, as last measured on each board that was timed.
  std::map<const BoardPlan*, Overheads> overheads() const;

 private:
  void run(const BoardPlan& board);
  BoardState& enter(const BoardPlan& plan);
  BoardState& return_to(const BoardPlan& plan);
  void leave();
  void leave_out(const BoardPlan& plan);
  bool eligible(Competitor& competitor, record::Entry entry, int workload);
  void verify(Competitor& competitor);
  void replay(Competitor& competitor);
  std::string command_of(const Competitor& competitor, const record::Entry& entry) const;
  void measure_round(std::vector<Competitor>& competitors, int round);
  void measure(Competitor& competitor, int round, std::span<const int> workloads);
  void measure(Competitor& competitor, int round, int workload);
  void measure_alone(Competitor& competitor, int round, int workload);
  std::optional<Failure> sample(Competitor& competitor, int workload, record::Entry& entry);
  std::optional<Failure> start(const Competitor& competitor, const std::string& parking_key = {});
  void deliver(record::Entry entry);
  void fail(Competitor& competitor, record::Entry entry, const Failure& failure);
  void decline(Competitor& competitor, record::Entry entry, const Failure& failure);
  void fail_in_round(Competitor& competitor, record::Entry entry, int workload, const Failure& failure);

  Context run_;
  Sink sink_;
  ProgressReporter progress_;
  std::map<const BoardPlan*, std::unique_ptr<BoardState>> boards_;  // that were entered
  BoardState* board_ = nullptr;                                     // on turn
  std::vector<std::string> faults_;
};

}  // namespace podium::contest
