// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The session of a run. Another one is started where its judge is lost, and the board is loaded again.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "suite/contest/board_plan.hpp"
#include "suite/contest/session.hpp"

namespace podium::contest {

class Sessions {
 public:
  Sessions(Executables executables, int device, Session::Limits limits);

  Session& get();                                  // starts the judge
  Session* started() { return session_.get(); }    // nullptr: none has been started
  void hide(const std::filesystem::path& folder);  // from workers: Session::hide

  // Loads the board, on every judge from now on until leave().
  void enter(const BoardPlan& board);
  void leave() { board_ = nullptr; }

  // Ends the session. Throws DeviceLost if that happens too often on one board.
  void replace();
  // A session whose judge lives. A judge that ended after the turn before is not this contestant's fault.
  void refresh();
  // For what no contestant takes part in: another judge does it if this one goes.
  template <class Work>
  auto with_judge(Work work) {
    for (;;) {
      try {
        return work();
      } catch (const DeviceLost&) {
        replace();
      }
    }
  }

  // Of all sessions so far.
  record::Spent spent() const;                                            // of wall time
  const std::vector<std::uint64_t>& secrets() const { return secrets_; }  // in pairs

 private:
  std::vector<record::Wait> waits() const;
  void load(const BoardPlan& board);

  Executables executables_;
  int device_;
  Session::Limits limits_;
  std::unique_ptr<Session> session_;
  const BoardPlan* board_ = nullptr;
  int lost_ = 0;  // on this board
  std::vector<std::uint64_t> secrets_;
  record::Spent spent_;              // with judges that are gone
  std::vector<record::Wait> waits_;  // of samples with those
};

}  // namespace podium::contest
