// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium's side of one judge and its workers: every request with a time-out, every failure with a name.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/contest/failure.hpp"
#include "suite/contest/judge_link.hpp"
#include "suite/contest/processes.hpp"
#include "suite/contest/reference_process.hpp"
#include "suite/contest/worker_pool.hpp"
#include "suite/measure/samples.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/calibration.hpp"
#include "suite/protocol/sensitivity.hpp"
#include "suite/record/spent.hpp"

namespace podium::contest {

class Session {
 public:
  // Starts the judge and opens device `ordinal`. Throws podium::Error (no device: exit 3), DeviceLost.
  Session(const Executables& executables, int ordinal, Limits limits);
  // In front of a judge that somebody else has started, and ends; without workers.
  Session(protocol::Channel judge, int ordinal, Limits limits);
  ~Session();

  const protocol::Opened& device() const { return device_; }
  const Backend& backend() const { return *backend_; }  // of that
  WorkerPool& workers() { return workers_; }
  // Microseconds for which processors were waited for until now: by anybody, and once more by the judge and
  // the worker on turn, whose waiting may be what lies between their clocks.
  double waited() const;
  bool lost() { return judge_.lost(); }  // the judge has ended

  // `program`: what the builder made of the problem's judge_program; `reference`: of its reference in Python,
  // if it has one. Throws podium::Error if the problem is at fault.
  void load(const problem::Problem& problem, std::size_t choice, const std::filesystem::path& program,
            const std::filesystem::path& reference = {});
  void board(const std::vector<int>& workloads);  // indices into problem.workloads; sizes the arena

  // Fills and references of a workload, without a contestant. `full`: everything is verified also where a
  // sample would do. Throws ProblemFault.
  protocol::Rehearsed rehearse(int workload, bool full = false, int repeats = 0);

  // How small an error the judge notices in each tensor on a workload. Throws ProblemFault.
  protocol::Sensed sense(int workload);

  // Begins an instance of the contestant whose worker is on turn. `judges_seconds`: what the judge's own work
  // on a sample may take beside the contestant's.
  std::optional<Failure> begin(int workload, int round, std::uint64_t owner, double judges_seconds = 0,
                               bool full = false, std::uint64_t structure_seed = 0);
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
  std::optional<Failure> end();  // of the instance

  // What the device says of itself now; its counter of energy only where asked for, which can take
  // milliseconds.
  protocol::TelemetryIs telemetry(bool energy = false);
  // The device's own counters over a stretch of time, whoever worked on it. Where it has none nobody is asked
  // a second time.
  void begin_counting();
  std::optional<protocol::Counted> counted();
  double canary();                      // microseconds of trusted work, timed now: device.hpp
  protocol::Calibrated memory_rates();  // measured now
  double link_rate();                   // of the board's ranks, likewise; 0: it has one
  void rest(std::chrono::duration<double> length);
  // `program`: what the builder made of the calibration's kernels. Throws podium::Error, DeviceLost.
  void load_calibration(const std::filesystem::path& program);
  protocol::Probed probe(protocol::Probe probe);  // after load_calibration
  std::vector<std::uint64_t> secret();
  const record::Spent& spent() const { return spent_; }  // of wall time, since the beginning
  // What the judge has checked since this was asked for before.
  protocol::Checked take_checked() { return std::exchange(checked_, {}); }
  const std::vector<record::Wait>& waits() const { return waits_; }  // of each sample

 private:
  std::chrono::milliseconds patience_for(const How& how);
  void open(int ordinal, const std::filesystem::path& judge);  // `judge`: its program
  protocol::Packet begin(const protocol::Begin& message);
  Failure wrong(protocol::Verdict verdict, std::uint64_t seed, std::int64_t call, const std::string& text);
  void count(const protocol::Checked& checked);
  void count(const protocol::Sampled& sampled, protocol::Mode mode, double asking);

  void start_reference();
  void renew_reference();  // where a contestant's outputs have ended its process

  Executables executables_;
  Limits limits_;
  std::filesystem::path reference_program_;
  ReferenceProcess reference_;  // outlives the judge, which could end another process of its number
  JudgeLink judge_;
  protocol::Opened device_{};
  const Backend* backend_ = nullptr;
  record::Spent spent_;
  WorkerPool workers_;
  protocol::Begun begun_{};
  std::vector<record::Wait> waits_;
  protocol::Checked checked_{};
  bool counts_ = true;
};

}  // namespace podium::contest
