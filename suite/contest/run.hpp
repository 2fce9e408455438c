// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs boards: verification of every contestant, then rounds in randomised complete blocks.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "suite/compile/builder.hpp"
#include "suite/contest/overhead.hpp"
#include "suite/contest/session.hpp"
#include "suite/measure/canary.hpp"
#include "suite/measure/samples.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/record/record.hpp"

namespace podium::contest {

// A contestant on one board, and what building it gave.
struct Entrant {
  compile::Contestant contestant;
  compile::Product product;
  std::string sha256;      // of the source that was built: source_hash(); empty: not built yet
  bool emulated = false;   // verified, never timed
  std::vector<int> timed;  // workloads on which it is timed, indices into problem->workloads
};

struct BoardPlan {
  const problem::Problem* problem = nullptr;
  std::size_t choice = 0;
  std::filesystem::path program;
  bool broken = false;  // the program did not compile: nothing can run
  std::vector<Entrant> entrants;
  std::string unmet;       // why the device does not run the problem; "": it does
  std::string baseline;    // its name; empty if none of the entrants
  std::vector<int> tests;  // indices into problem->workloads
  std::vector<int> timed;  // all that any entrant is timed on
};

// One call to be made again, as a verdict named it, after as many others as there were before it.
struct Replay {
  std::uint64_t seed = 0;       // of the call
  std::uint64_t structure = 0;  // of its structure; 0: any
  int call = 0;                 // its index: turn.hpp says what kind of call it was
};

struct RunOptions {
  int rounds = 7;  // 0: verification only
  measure::Stopping stopping;
  bool isolated = false;  // one worker at a time
  std::uint64_t order_seed = 0;
  int device = 0;
  std::string device_words;      // how the command line opens it: "--device cuda:0"
  bool columns = true;           // hot, graph and end-to-end times, too
  bool energy = false;           // of a call, too
  bool full = false;             // verification is of every element on workloads of all stages
  std::optional<Replay> replay;  // in place of verification
  Session::Limits limits;
};

// On a contestant that was built so; right if it was.
Verdict verdict_of(compile::Product::Status status);

struct Progress {
  std::string problem, types, workload, contestant;
  std::size_t board = 0, boards = 0;  // its number, from 1 on, of how many
  int round = -1, rounds = 0;         // -1: verification
  double done = 0;                    // share of the run, 0 to 1
  double seconds_left = -1;           // estimate; negative: not known yet
};

class Runner {
 public:
  using Sink = std::function<void(const record::Entry&)>;
  using Watch = std::function<void(const Progress&)>;

  Runner(Executables executables, RunOptions options, Sink sink, Watch watch);
  ~Runner();

  const protocol::Opened& device();                // starts the judge
  void hide(const std::filesystem::path& folder);  // from workers: Session::hide
  protocol::Calibrated memory_rates();             // measured now
  // Failures of contestants become entries; a board whose problem is at fault is left, and a sentence kept
  // for it. `before` may build a board that has not been built yet; `after` follows a board that ran to its
  // end, or whose problem is at fault. Throws DeviceLost if the judge could not be brought back.
  using Step = std::function<void(const BoardPlan&)>;
  void run(const std::vector<BoardPlan>& boards, const Step& before = {}, const Step& after = {});
  // In place of run(), and as often as it is called: one entry of a contestant on a workload that it is timed
  // on, with the number of samples that `rule` wants. Prepares the board and verifies the contestant when
  // they are first needed. The sink's last entry is the result; that of a contestant which failed before is
  // its failure. Throws ProblemFault, DeviceLost.
  void measure(const BoardPlan& board, const Entrant& entrant, int workload, const measure::Stopping& rule);
  const std::vector<std::string>& faults() const { return faults_; }  // of problems, one sentence a board
  std::vector<std::uint64_t> secrets();                               // of every judge there was, in pairs
  record::Spent spent() const;                                        // of wall time, but for building
  // Of the empty contestant, as last measured on each board that was timed.
  const std::map<const BoardPlan*, Overheads>& overheads() const { return measured_; }

 private:
  struct Turn;
  Session& session();
  std::vector<record::Wait> waits() const;  // of samples so far
  template <class Work>
  auto with_judge(Work work);
  void lose_device();
  void begin_turn();
  double units_of(const BoardPlan& board) const;
  void run(const BoardPlan& board);
  void enter(const BoardPlan& board);
  void leave_out(const BoardPlan& board);
  void load(const BoardPlan& board);
  void rehearse();
  bool eligible(Turn& turn, record::Entry entry, int workload);
  void verify(Turn& turn);
  void replay(Turn& turn);
  std::optional<Failure> replay(int workload, const Turn& turn, record::Entry& entry);
  std::string command_of(const Turn& turn, const record::Entry& entry) const;
  void measure_round(std::vector<Turn>& turns, int round);
  void measure(Turn& turn, int round, std::span<const int> workloads);
  void measure(Turn& turn, int round, int workload);
  void measure_alone(Turn& turn, int round, int workload);
  bool take_samples(Turn& turn, int workload, record::Entry& entry);
  bool take_together(Turn& turn, int workload, record::Entry& entry, int index);
  bool take_columns(Turn& turn, int workload, record::Entry& entry);
  bool take_energy(Turn& turn, int workload, record::Entry& entry);
  std::optional<Failure> take_column(record::Measurement& column, protocol::Mode mode,
                                     const record::Entry& entry, int first);
  const measure::Overhead& overhead_of(const record::Entry& entry) const {
    return entry.blocking ? overheads_.waiting : overheads_.usual;
  }
  const measure::Overhead& calmest_for(const record::Entry& entry) const {
    return entry.blocking ? calmest_.waiting : calmest_.usual;
  }
  struct Doubt;
  std::optional<Doubt> doubt(const Turn& turn, const record::Entry& entry);
  double write_back() const;
  bool borne_out_steady(const Turn& turn, const record::Entry& entry) const;
  std::optional<Doubt> doubt_together(const Turn& turn, int workload, const record::Entry& entry);
  void measure_overhead();
  void meet_overhead();
  bool measure_in_calm(bool waits);
  void take_judges_word(record::Entry& entry);
  void meet_canary();
  std::vector<double> look_at_device();
  double floor_of();  // of the entry that has just begun
  bool may_park(const BoardPlan& board) const;
  bool at_home(const Entrant& entrant) const;
  std::string key_of(const Turn& turn) const;
  record::Entry blank(const Turn& turn, int workload, int round) const;
  void fail(Turn& turn, record::Entry entry, const Failure& failure);
  void tell(const Turn& turn, int workload, int round);

  struct Kept;  // of a board, while another one is measured
  void keep_board();
  Kept& return_to(const BoardPlan& board);

  Executables executables_;
  RunOptions options_;
  Sink sink_;
  Watch watch_;
  std::unique_ptr<Session> session_;
  std::vector<std::uint64_t> secrets_;
  record::Spent spent_;              // with judges that are gone
  std::vector<record::Wait> waits_;  // of samples with those
  const BoardPlan* board_ = nullptr;
  bool parks_ = false;                        // workers are kept between their turns on the board
  std::vector<problem::Instance> instances_;  // of the board, by workload index
  Overheads overheads_;                       // in force
  Overheads calmest_;                         // that the board has seen
  measure::Canaries canaries_{0};             // of the board
  std::map<const BoardPlan*, Overheads> measured_;
  double reference_clock_ = 0;  // MHz: the highest that the device held for an empty contestant; 0: not known
  std::vector<double> judges_seconds_;  // by workload index: what a sample's own work of the judge may take
  std::vector<std::string> faults_;
  double copy_rate_ = 0;  // bytes a second; 0: not measured yet
  std::mt19937_64 random_;
  std::map<const BoardPlan*, std::unique_ptr<Kept>> kept_;
  int lost_ = 0;
  double units_done_ = 0, units_ = 1;
  std::size_t number_ = 0, boards_ = 0;  // of the board, from 1 on; of how many
  std::chrono::steady_clock::time_point began_;
};

}  // namespace podium::contest
