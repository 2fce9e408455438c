// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What all boards of a run share.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "suite/contest/board_plan.hpp"
#include "suite/contest/session.hpp"
#include "suite/measure/samples.hpp"

namespace podium::contest {

// One call to be made again, as a verdict named it, after as many others as there were before it.
struct Replay {
  std::uint64_t seed = 0;       // of the call
  std::uint64_t structure = 0;  // of its structure; 0: any
  int call = 0;                 // its index: competitor.hpp says what kind of call it was
};

struct RunOptions {
  int rounds = 7;  // 0: verification only
  measure::Stopping stopping;
  bool isolated = false;  // one worker at a time
  std::uint64_t order_seed = 0;
  int device = 0;
  std::string device_words;      // how the command line opens it: "--device cuda:0"
  std::string problems_words;    // how it names the folder of problems: " --problems DIR"; empty: the default
  bool columns = true;           // hot, graph and end-to-end times, too
  bool energy = false;           // of a call, too
  bool full = false;             // verification is of every element on workloads of all stages
  std::optional<Replay> replay;  // in place of verification
  Limits limits;
};

// The session of a run. Another one is started where its judge is lost, and the board is loaded again.
class Sessions {
 public:
  Sessions(Executables executables, int device, Limits limits);

  Session& get();                                  // starts the judge
  Session* started() { return session_.get(); }    // nullptr: none has been started
  void hide(const std::filesystem::path& folder);  // from workers: WorkerPool::hide

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
  Limits limits_;
  std::unique_ptr<Session> session_;
  const BoardPlan* board_ = nullptr;
  int lost_ = 0;  // on this board
  std::vector<std::uint64_t> secrets_;
  record::Spent spent_;              // with judges that are gone
  std::vector<record::Wait> waits_;  // of samples with those
};

struct Context {
  RunOptions options;
  Sessions sessions;
  std::mt19937_64 random;      // of the order, and of all that contestants must not foresee
  double reference_clock = 0;  // MHz: the highest that the device held for an empty contestant; 0: not known
  double link_rate = 0;        // of the board's group: bytes a second from one device to another
  double copy_rate = 0;        // bytes of the device's memory a second; 0: not measured yet
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace podium::contest
