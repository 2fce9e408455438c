// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One worker in front of the judge: how a sample is taken, step by step.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/base/stopped_group.hpp"
#include "suite/device/device.hpp"
#include "suite/judge/background_task.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/meters.hpp"
#include "suite/judge/placement.hpp"
#include "suite/judge/seeds.hpp"
#include "suite/judge/shared_page.hpp"
#include "suite/judge/suspension.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {

using clock = std::chrono::steady_clock;
inline double microseconds(clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

// A worker failed, or broke the protocol, or is gone: the contestant's row, never the run's end.
class WorkerFailure : public Error {
 public:
  WorkerFailure(protocol::Verdict verdict, const std::string& text) : Error(text), verdict_(verdict) {}
  protocol::Verdict verdict() const { return verdict_; }

 private:
  protocol::Verdict verdict_;
};

// Threads that cannot be brought to stand still are the worker's fault.
void or_broken(const auto& stop) {
  try {
    stop();
  } catch (const Error& e) {
    throw WorkerFailure(protocol::Verdict::broke_protocol, e.what());
  }
}

// Of the outputs of one call, as they are kept, whatever structure makes of them.
std::size_t bytes_kept(const problem::Instance& instance);

class Bench {
 public:
  // Introduces itself to the worker at the other end of `channel`: the arena, the page, the plugin's expected
  // hash ("" for the trusted empty contestant, which is timed and never verified). `kept`: where outputs of
  // calls behind one gate lie until all are copied; none, or too small: single calls only. Throws
  // WorkerFailure.
  Bench(device::Device& device, device::Arena& arena, const device::Memory* kept, Evaluator& evaluator,
        ClockProbe& clock, IdleSpinner& spinner, BackgroundTask& background, protocol::Channel channel,
        pid_t pid, int ordinal, const std::string& interface_hash);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  struct Draw {  // the seeds of one sample
    std::uint64_t inputs = 0, placement = 0;
    std::uint64_t verification = 0;  // of samples and probes: tells nothing that the inputs could give away
    std::uint64_t call = 0;          // of which the others are made
  };
  // A new instance of the contestant and its warm-up, discarded. The evaluator has begun `instance`.
  void begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up);
  // What may come after a sample. Where the CPU is the device, the worker arms for it while the one before is
  // checked, or while it runs, if processors are plenty.
  struct Next {
    std::function<Draw()> draw;  // asked at most once
    // Asked once, when the times and clocks of the sample before are known and it is not checked yet:
    // whether another comes if it is right.
    std::function<bool(const protocol::Sampled&)> follows;
  };
  // `waits`: the gate opens before the call, as for a contestant that waits in it.
  protocol::Sampled sample(Draw draw, std::uint8_t poison, bool waits,
                           protocol::Mode mode = protocol::Mode::cold, const Next* next = nullptr);
  // As many cold calls as there are draws, at most most_together(), behind one gate, each with tensors of its
  // own, all checked; times are of all of them. `blocking` speaks of these calls alone.
  protocol::Sampled sample_together(std::span<const Draw> draws, std::uint8_t poison, bool waits);
  // `calls` at most, one after the other on one set of tensors, with the power of the device meanwhile.
  // Throws WorkerFailure; podium::Error for a problem whose calls change tensors in place: the second would
  // not compute what the first did.
  protocol::Sampled sample_repeated(Draw draw, std::uint8_t poison, int calls);
  int most_together() const;  // calls for which arena and `kept` have room
  void end();                 // destroys the instance
  void leave();               // lets the worker go
  bool verified() const { return verified_; }

 private:
  struct ResumeOnExit {  // whatever happens
    std::optional<Suspension>& suspension;
    ~ResumeOnExit() { suspension.reset(); }
  };
  struct Times {
    double event = 0, judge = 0, fill = 0, arm = 0, stop = 0, take = 0;  // microseconds
    clock::time_point opened{};                                          // the gate
  };
  struct Outputs {                     // of one call, one behind the other
    std::vector<std::size_t> offsets;  // of each tensor, written or not
    std::size_t bytes = 0;             // of all
  };
  struct Call {  // what lies behind one gate: where, with which seeds
    std::span<const Placement> sets;
    std::span<const Draw> draws;
    std::uint8_t poison = 0;
    protocol::Launch launch = protocol::Launch::gated;
    bool flushed = true;
    bool steady = false;   // what a call like it has written is not in memory yet
    bool clocked = false;  // the device's clock is probed before it
    bool armed = false;    // the worker has been told already
    bool seen_to = false;  // it has armed, too, and stands still
    const Next* next = nullptr;
    const Outputs* kept = nullptr;  // how outputs of several calls are kept; none: the evaluator takes them
  };
  static Outputs lay_out_outputs(const problem::Instance& instance);
  int calls_with_room() const;  // in the arena
  std::int64_t room() const;    // for tensors of the instance, in bytes from the arena's begin on
  void poison(const Placement& placement, std::uint8_t poison);
  void write_inputs(const Placement& placement);
  std::size_t bytes_written(const Placement& placement) const;
  void prepare(const Call& call, Times& times);
  void suspend(std::chrono::microseconds patience);
  void stop();
  void end_watch();
  void show_structure();
  void arm(std::span<const Placement> sets, protocol::Launch launch, int repeats = 0);
  void arm_ahead(Draw draw);
  void arm_in_background();
  bool finish_arming();
  void cancel();
  bool armed_in_time(protocol::Launch launch);
  void await_finished(const Call& call, bool armed, Times& times);
  void hold(bool signalled, Times& times);
  // Looks into the arena while nobody there can change it; `times.judge` ends where that begins.
  void look_while_held(Times& times, const std::function<void()>& look);
  Times timed_call(const Call& call, bool waits);
  void settle(const Call& call, Times& times);
  template <class M>
  void tell(const M& message, std::span<const int> descriptors = {});
  std::optional<protocol::Packet> from_worker(std::chrono::microseconds look = {}, int milliseconds = -1);
  template <class M>
  M answer();
  template <class M>
  M answer_in(const protocol::Packet& packet);
  void take_outputs(const Call& call);
  std::byte* kept(const Call& call, std::size_t k, std::size_t tensor) const;  // outputs of its k-th
  void check_untouched(protocol::Sampled& result, const Placement& placement);
  void verify(protocol::Sampled& result, Draw draw, std::uint8_t poison);
  static void put_times(protocol::Sampled& result, const Times& times);
  void judge_together(protocol::Sampled& result, const Call& call);

  device::Device& device_;
  device::Arena& arena_;
  Evaluator& evaluator_;
  ClockProbe& clock_;
  IdleSpinner& spinner_;
  BackgroundTask& background_;
  protocol::Channel channel_;
  Group group_;  // of the worker
  bool verified_;
  const char* stage_ = "loading";  // what the worker was last asked for
  bool polls_;                     // for messages, again and again, while a call is timed
  bool polls_briefly_ = false;     // for *finished*, a while, and takes nothing from whom it waits for
  std::unique_ptr<device::Memory>
      mark_;  // where devices are spun on: what the judge writes when a call is done
  SharedPage page_;
  const problem::Instance* instance_ = nullptr;
  std::uint32_t ticket_ = 0;
  bool blocking_ = false;
  int moved_ = 0;    // samples of the instance during whose filling its threads did not stand still
  int stopped_ = 0;  // samples before which threads were to stand still
  bool needs_signal_ =
      false;  // of the worker: its threads have run in their sleep, and are told to stop since
  std::optional<Placement> captured_;  // the tensors of the graph, if there is one
  struct Ahead {
    Placement placement;
    std::uint64_t seed = 0;   // of it
    double microseconds = 0;  // that telling took
    bool armed = false;       // it has, as the background task has heard
  };
  std::optional<Ahead> ahead_;             // what the worker has been told to arm for already
  std::optional<Suspension> before_gate_;  // while the worker stands still before its gate
  std::optional<Suspension> after_call_;   // and from its word until the arena has been looked through
  const device::Memory* kept_;
};

}  // namespace podium::judge
