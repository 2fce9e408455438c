// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One worker in front of the judge, or those of a group: how a sample is taken, step by step. The ranks of a
// group have a device, an arena and a worker each; one gate opens for all of them.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    // Of each rank of a group, in its device's memory, within the reach of all: none for one device.
    std::vector<device::Arena*> symmetric{};
  };
  // Introduces itself to the worker at the other end of `channel`: the arena, the page, the plugin's expected
  // hash ("" for the trusted empty contestant, which is timed and never verified). Throws WorkerFailure.
  Bench(const Shared& shared, protocol::Channel channel, pid_t pid, const std::string& interface_hash);
  // The next rank of the group. Throws as the constructor does.
  void add(device::Device& device, int ordinal, device::Arena& arena, protocol::Channel channel, pid_t pid);

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
  int most_together() const { return alone() ? first().tensors.most_together() : 1; }
  // Of the instance that begin() made: from telling the worker until it has answered, the work that the
  // constructor enqueued included.
  double constructor_microseconds() const { return constructor_microseconds_; }
  void end();    // destroys the instance
  void leave();  // lets the worker go
  bool verified() const { return verified_; }

 private:
  // One worker's.
  struct Seat {
    Seat(const Shared& shared, device::Device& device, device::Arena& arena, protocol::Channel channel,
         pid_t pid, bool verified, int rank, std::shared_ptr<SharedPage> page);
    int rank;
    device::Device& device;
    device::Arena& arena;
    std::unique_ptr<device::Memory>
        mark;  // what the judge writes when a call is done, where devices are spun on
    WorkerLink link;
    WorkerThreads threads;
    Gate gate;
    ArenaTensors tensors;
    CallCheck check;
  };
  struct Times {
    double event = 0, judge = 0, fill = 0, arm = 0, stop = 0, take = 0;  // microseconds
    double skew = 0;                                                     // between the ranks of a group
    clock::time_point opened{};                                          // the gate
  };
  // Of each rank, the calls behind one gate.
  using Sets = std::vector<std::vector<Placement>>;
  struct Call {  // what lies behind one gate: where, with which seeds
    const Sets& sets;
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
  struct ResumeAll {  // whatever happens
    std::vector<std::unique_ptr<Seat>>& seats;
    ~ResumeAll() {
      for (const auto& seat : seats) seat->threads.resume();
    }
  };
  struct ReleaseAll {
    std::vector<std::unique_ptr<Seat>>& seats;
    ~ReleaseAll() {
      for (const auto& seat : seats) seat->threads.release();
    }
  };
  void seat(device::Device& device, int ordinal, device::Arena& arena, protocol::Channel channel, pid_t pid);
  void set_up(Seat& seat, int ordinal);
  void create(std::int64_t scratch_limit);
  void show_structure(Seat& seat);
  void warm_up(const Draw& draw);
  void prepare(const Call& call, Times& times);
  void flush(const Call& call);
  Times timed_call(const Call& call, bool waits);
  void arm(const Sets& sets, protocol::Launch launch);  // for the ticket that each rank's gate has taken
  void let_through(const Call& call, Times& times);     // of workers that have armed
  bool try_gated(const Call& call, Times& times);
  void await_ungated(std::vector<Seat*> yet_to_arm);
  void open_gate();
  void cancel();
  void await_finished(const Call& call, bool armed, Times& times);
  void settle(const Call& call, Times& times);
  void take_outputs(const Call& call, const std::function<void()>& between = [] {});
  // All threads of the first `seats` ranks are held meanwhile.
  void look_while_held(Times& times, std::size_t seats, const std::function<void()>& look);
  void check_untouched(protocol::Sampled& result, const Sets& sets);
  Sets place(std::uint64_t seed) const;
  Gate::Ahead ahead_of(const Draw& draw) const;
  void check_repeatable(int calls) const;
  double watts_of_repeated(Times& times);
  static void put_times(protocol::Sampled& result, const Times& times);

  bool alone() const { return seats_.size() == 1; }
  Seat& first() { return *seats_.front(); }
  const Seat& first() const { return *seats_.front(); }
  // Whose failure it is, is said of those of a group.
  template <class Work>
  void each(const Work& work) {
    for (const auto& seat : seats_) of(*seat, [&] { work(*seat); });
  }
  template <class Work>
  void of(const Seat& seat, const Work& work) const {
    try {
      work();
    } catch (const WorkerFailure& failure) {
      rethrow_of(seat, failure);
    }
  }
  [[noreturn]] void rethrow_of(const Seat& seat, const WorkerFailure& failure) const;
  // Messages of all until `take` has been true of each of them; the first failure counts, whoever waits
  // longer.
  template <class Take>
  void answers(std::chrono::microseconds poll, const Take& take) {
    std::vector<Seat*> pending = all_seats();
    while (!pending.empty()) {
      Seat& next = next_to_answer(pending, poll);
      try {
        of(next, [&] {
          if (take(next, *next.link.receive(poll))) std::erase(pending, &next);
        });
      } catch (const WorkerFailure& failure) {
        if (failure.verdict() != protocol::Verdict::gone || pending.size() < 2) throw;
        blame(failure, pending);
      }
    }
  }
  std::vector<Seat*> all_seats();
  Seat& next_to_answer(const std::vector<Seat*>& pending, std::chrono::microseconds poll) const;
  // Who of several that are gone is to blame.
  [[noreturn]] void blame(const WorkerFailure& failure, const std::vector<Seat*>& pending);
  std::uint32_t meetings_of(const Seat& seat);

  const Shared shared_;
  const std::string interface_hash_;
  device::Device& device_;  // of the first rank, whose judge's program has the whole of every tensor
  Evaluator& evaluator_;
  ClockProbe& clock_;
  bool verified_;
  bool polls_;                                // for messages, while a call is timed
  std::vector<std::unique_ptr<Seat>> seats_;  // by rank
  double constructor_microseconds_ = 0;       // of the instance
  bool blocking_ = false;                     // it waits in the call, so that its gate opens before
  std::optional<Sets> captured_;              // the tensors of the graph, if there is one
};

}  // namespace podium::judge
