// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium's side of one judge and its workers: every request with a time-out, every failure with a name.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/contest/failure.hpp"
#include "suite/contest/judge_link.hpp"
#include "suite/contest/parking.hpp"
#include "suite/contest/worker_watch.hpp"
#include "suite/measure/samples.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/calibration.hpp"
#include "suite/protocol/sensitivity.hpp"
#include "suite/record/spent.hpp"
#include "suite/record/waits.hpp"

namespace podium::contest {

struct Executables {
  std::filesystem::path judge, worker;
  std::vector<std::string> environment{};  // "NAME=value", for both, besides what they have
  std::vector<std::string> folders{};      // that the worker reads, too
  std::filesystem::path prepare{};         // a program that wants to see code before it runs; "": none
};
// Of `backend`, beside this program. Throws podium::Error naming the preset that builds them.
Executables executables(const std::string& backend);

class Session {
 public:
  struct Limits {
    std::chrono::seconds call{30};    // one answer in which a contestant takes part
    std::chrono::seconds setup{120};  // the same of loading it, and of a new instance with its warm-up call
    std::chrono::seconds judge{300};  // one answer of the judge alone
    std::int64_t memory =
        0;  // resident bytes of a worker and all it started; 0: three quarters of the machine's
    std::int64_t device_memory =
        0;  // bytes of the device's memory that a worker may hold between calls; 0: three quarters of it
    int parked_memory = 4;  // the parked ones together may hold a quarter of that
    int parked_device = 8;  // and an eighth of the device's memory
    // A tool and its options that workers are started under, outside the sandbox: for one's own contestants.
    std::vector<std::string> under;
    std::filesystem::path hidden;  // a folder that no worker sees into; empty: none
  };

  // Starts the judge and opens device `ordinal`. Throws podium::Error (no device: exit 3), DeviceLost.
  Session(Executables executables, int ordinal, Limits limits);
  // In front of a judge that somebody else has started, and ends; without workers.
  Session(protocol::Channel judge, int ordinal, Limits limits);
  ~Session();

  const protocol::Opened& device() const { return device_; }
  const Backend& backend() const { return *backend_; }  // of that
  // Workers that start from now on find that folder empty, where the machine grants mounts of their own.
  void hide(const std::filesystem::path& folder) { limits_.hidden = folder; }
  // Microseconds for which processors were waited for until now: by anybody, and once more by the judge and
  // the worker on turn, whose waiting may be what lies between their clocks.
  double waited() const;
  bool lost() { return judge_.lost(); }  // the judge has ended

  // `program`: what the builder made of the problem's judge_program. Throws podium::Error if the problem is
  // at fault.
  void load(const problem::Problem& problem, std::size_t choice, const std::filesystem::path& program);
  void board(const std::vector<int>& workloads);  // indices into problem.workloads; sizes the arena

  // Fills and references of a workload, without a contestant. `full`: everything is verified also where a
  // sample would do. Throws ProblemFault.
  protocol::Rehearsed rehearse(int workload, bool full = false, int repeats = 0);

  // How small an error the judge notices in each tensor on a workload. Throws ProblemFault.
  protocol::Sensed sense(int workload);

  // One worker is on turn at a time. An empty path is the trusted empty contestant: timed, never verified.
  // The worker that was parked under `key` goes on instead, if there is one; an empty key: none.
  std::variant<std::monostate, Failure> start(const std::filesystem::path& plugin,
                                              const std::string& key = {});
  // `judges_seconds`: what the judge's own work on a sample may take beside the contestant's.
  std::variant<std::monostate, Failure> begin(int workload, int round, std::uint64_t owner,
                                              double judges_seconds = 0, bool full = false,
                                              std::uint64_t structure_seed = 0);
  const protocol::Begun& begun() const { return begun_; }  // what the last begin was told
  // `waits`: the gate opens before the call, as the judge does for a contestant that waits in it.
  std::variant<protocol::Sampled, Failure> sample(int index, bool waits = false);
  struct How {
    bool waits = false;
    int calls = 1;  // behind one gate, all checked; times are of all of them. Repeated: at most so many
    protocol::Mode mode = protocol::Mode::cold;
    double seconds = 0;      // that repeated calls are expected to take
    std::uint64_t seed = 0;  // of a call that is to be repeated, the last of several; 0: the run's own
  };
  // Verdict::not_capturable is no failure of the contestant's.
  std::variant<protocol::Sampled, Failure> sample(int index, const How& how);
  // As many samples as `rule` needs with those that count already, or fewer: at least one more where none
  // failed, none after one whose clock was below `least_clock`.
  struct Until {
    measure::Stopping rule;
    std::span<const double> counted;  // microseconds
    double seconds = 0;               // of the rule's budget that are spent
    double least_clock = 0;           // MHz; 0: none is too slow
  };
  struct Taken {
    std::vector<protocol::Sampled> samples;  // all right
    std::optional<Failure> failure;          // of the sample after these
  };
  Taken samples(int index, const How& how, const Until& until);
  std::variant<std::monostate, Failure> end();  // of the instance
  // Ends the worker and all it started. A failure: what a tool that it ran under found.
  std::optional<Failure> release();
  // The worker on turn, whose instance has ended, stands still until it is started again under its key. Those
  // parked longest are ended where memory gets short: Parked in limits. One without a key is released.
  void park();
  std::size_t parked() const { return parking_.size(); }
  // Whether there are any that may do something to whoever is on turn: a GPU runs on what a process that
  // stands still has left there, and where nothing holds a process it can wake itself.
  bool parked_may_act() const;
  void end_parked();

  // What the device says of itself now; its counter of energy only where asked for, which can take
  // milliseconds.
  protocol::TelemetryIs telemetry(bool energy = false);
  // The device's own counters over a stretch of time, whoever worked on it. Where it has none nobody is asked
  // a second time.
  void begin_counting();
  std::optional<protocol::Counted> counted();
  double canary();                      // microseconds of trusted work, timed now: device.hpp
  protocol::Calibrated memory_rates();  // measured now
  void rest(std::chrono::duration<double> length);
  // `program`: what the builder made of the calibration's kernels. Throws podium::Error, DeviceLost.
  void load_calibration(const std::filesystem::path& program);
  protocol::Probed probe(protocol::Probe probe);  // after load_calibration
  std::vector<std::uint64_t> secret();
  const record::Spent& spent() const { return spent_; }              // of wall time, since the beginning
  const std::vector<record::Wait>& waits() const { return waits_; }  // of each sample

 private:
  // How long to wait for answers in which a contestant takes part: `limit` is its share.
  std::chrono::milliseconds with_worker(std::chrono::seconds limit, int calls = 1);
  std::chrono::milliseconds patience_for(const How& how);
  JudgeLink::Worker looked_after();
  void open(int ordinal);
  int free_number() const;
  void bound_parked();
  void end_oldest();
  void end_all();
  void dismiss(int number);
  protocol::MemoryIs device_memory();
  protocol::Packet begin(const protocol::Begin& message);
  std::variant<std::monostate, Failure> launch(const std::filesystem::path& plugin, const std::string& key);
  Failure failure(const protocol::Refused& refused);
  std::variant<std::monostate, Failure> outcome(const protocol::Packet& packet);
  Failure wrong(protocol::Verdict verdict, std::uint64_t seed, std::int64_t call,
                const std::string& text) const;
  void count(const protocol::Sampled& sampled, protocol::Mode mode, double asking);

  Executables executables_;
  Limits limits_;
  JudgeLink judge_;
  Worker worker_;  // on turn
  WorkerWatch watch_;
  Parking parking_;
  std::int64_t others_ = 0;  // bytes of device memory that others held when the board had no worker
  protocol::Begun begun_{};
  protocol::Opened device_{};
  const Backend* backend_ = nullptr;
  record::Spent spent_;
  std::vector<record::Wait> waits_;
  std::chrono::milliseconds judges_time_{0};
  std::chrono::seconds limit_{0};  // the worker's share of the time of the request that it is in
  bool counts_ = true;
  enum class Bound { held, renewed };  // renewed: the worker was ended, and a new one started
  std::variant<Bound, Failure> bound_device_memory();
  std::int64_t held_on_device();  // bytes, by the worker on turn

  std::set<std::filesystem::path> suspected_;  // plugins of which one process held too much of the device
  std::set<std::filesystem::path> woke_;       // plugins of which a process ran while it was parked
};

}  // namespace podium::contest
