// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One worker in front of the judge: how a sample is taken, step by step.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "suite/judge/arena_tensors.hpp"
#include "suite/judge/call_check.hpp"
#include "suite/judge/gate.hpp"
#include "suite/judge/meters.hpp"
#include "suite/judge/worker_link.hpp"
#include "suite/judge/worker_threads.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {

class Bench {
 public:
  // What the benches of a judge share, and outlives them.
  struct Shared {
    device::Device& device;
    int ordinal = 0;  // of the device
    device::Arena& arena;
    const device::Memory* kept =
        nullptr;  // for outputs of calls behind one gate; too small: single calls only
    Evaluator& evaluator;
    ClockProbe& clock;
    IdleSpinner& spinner;
    BackgroundTask& background;
  };
  // Introduces itself to the worker at the other end of `channel`: the arena, the page, the plugin's expected
  // hash ("" for the trusted empty contestant, which is timed and never verified). Throws WorkerFailure.
  Bench(const Shared& shared, protocol::Channel channel, pid_t pid, const std::string& interface_hash);

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
  int most_together() const { return tensors_.most_together(); }
  // Of the instance that begin() made: from telling the worker until it has answered, the work that the
  // constructor enqueued included.
  double constructor_microseconds() const { return constructor_microseconds_; }
  void end();    // destroys the instance
  void leave();  // lets the worker go
  bool verified() const { return verified_; }

 private:
  struct Times {
    double event = 0, judge = 0, fill = 0, arm = 0, stop = 0, take = 0;  // microseconds
    clock::time_point opened{};                                          // the gate
  };
  struct Call {  // what lies behind one gate: where, with which seeds
    std::span<const Placement> sets;
    std::span<const Draw> draws;
    std::uint8_t poison = 0;
    protocol::Launch launch = protocol::Launch::gated;
    bool flushed = true;
    bool steady = false;    // what a call like it has written is not in memory yet
    bool clocked = false;   // the device's clock is probed before it
    bool armed = false;     // the worker has been told already
    bool still = false;     // it has armed, too, and stands still
    bool together = false;  // outputs are kept; else the evaluator takes them
    const Next* next = nullptr;
  };
  void set_up(const std::string& interface_hash, int ordinal);
  void create(std::int64_t scratch_limit);
  void show_structure();
  void warm_up(const Draw& draw);
  void prepare(const Call& call, Times& times);
  Times timed_call(const Call& call, bool waits);
  bool try_gated(const Call& call, Times& times);
  void await_finished(const Call& call, bool armed, Times& times);
  void settle(const Call& call, Times& times);
  void take_outputs(const Call& call);
  void look_while_held(Times& times, const std::function<void()>& look);
  Gate::Ahead ahead_of(const Draw& draw) const;
  void check_repeatable(int calls) const;
  double watts_of_repeated(Times& times);
  static void put_times(protocol::Sampled& result, const Times& times);

  device::Device& device_;
  device::Arena& arena_;
  Evaluator& evaluator_;
  ClockProbe& clock_;
  bool verified_;
  bool polls_;  // for messages, while a call is timed
  std::unique_ptr<device::Memory>
      mark_;  // what the judge writes when a call is done, where devices are spun on
  WorkerLink link_;
  WorkerThreads threads_;
  Gate gate_;
  ArenaTensors tensors_;
  CallCheck check_;
  double constructor_microseconds_ = 0;  // of the instance
  bool blocking_ = false;                // it waits in the call, so that its gate opens before
  std::optional<Placement> captured_;    // the tensors of the graph, if there is one
};

}  // namespace podium::judge
