// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace podium::judge {
namespace {

using protocol::Launch, protocol::Mode, protocol::Verdict;
using std::chrono_literals::operator""us;

// For *finished*: a judge that has slept for milliseconds takes long to wake, too.
constexpr std::chrono::milliseconds longest_poll{1};

// How long `run` may take to return while its gate is closed before its contestant counts as blocking. Far
// above what enqueueing takes, far below what a person waits.
constexpr int blocking_after = 400;   // milliseconds
constexpr int captured_after = 5000;  // milliseconds; building a graph of thousands of nodes takes its time

constexpr std::uint8_t warm_up_poison = 0xFF;

constexpr double settled = 0.2;  // seconds of repeated calls before their power is looked at
// Milliseconds between two looks. Beside a GPU a look costs the contestant nothing, and an error of two at
// either end is small beside a second; on a CPU the judge takes the time from the contestant, and the
// counter steps every millisecond.
constexpr int look_gpu = 2, look_host = 10;

}  // namespace

Bench::Bench(const Shared& shared, protocol::Channel channel, pid_t pid, const std::string& interface_hash)
    : shared_(shared),
      interface_hash_(interface_hash),
      device_(shared.device),
      evaluator_(shared.evaluator),
      clock_(shared.clock),
      verified_(!interface_hash.empty()),
      polls_(device_.spins() && !device_.description().emulated) {
  seat(shared.device, shared.ordinal, shared.arena, std::move(channel), pid);
}

Bench::Sets Bench::place(std::uint64_t seed) const {
  Sets sets;
  for (const auto& seat : seats_)
    sets.push_back({seat->tensors.place(seed + static_cast<std::uint64_t>(seat->rank))});
  return sets;
}

void Bench::begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up) {
  if (seats_.size() != std::max<std::size_t>(1, shared_.symmetric.size()))
    throw Error(fmt::format("an instance was to begin with {} ranks, expected {}", seats_.size(),
                            shared_.symmetric.size()));
  for (device::Arena* const memory : shared_.symmetric) device_.set(memory->data(), 0, memory->bytes());
  if (!shared_.symmetric.empty()) device_.synchronise();
  first().gate.page()->clear_mailbox();
  blocking_ = false;
  captured_.reset();
  each([&](Seat& seat) {
    seat.tensors.begin(instance);
    seat.threads.begin();
    seat.link.enter("constructor");
    if (verified_) show_structure(seat);
  });
  create(scratch_limit);
  this->warm_up(warm_up);
  each([](Seat& seat) { seat.link.enter("call"); });
}

// The device's copy in the arena, where every sample looks whether it has changed; the host's copy in a
// sealed file that nobody can write.
void Bench::show_structure(Seat& seat) {
  const protocol::Structures message = seat.tensors.write_structure();
  if (message.count == 0) return;
  const Descriptor file = evaluator_.structure().open();
  const int descriptor = file.get();
  seat.link.tell(message, std::span(&descriptor, 1));
  seat.link.answer<protocol::Ready>();
}

// All at once: constructors of a group may wait for each other.
void Bench::create(std::int64_t scratch_limit) {
  const auto message = [&](const problem::Instance& instance) {
    protocol::Create create{};
    protocol::put(create.workload, instance.workload);
    for (const std::int64_t axis : instance.axes) create.axes[create.axis_count++] = axis;
    for (const double parameter : instance.parameters)
      create.parameters[create.parameter_count++] = parameter;
    for (const auto& tensor : instance.tensors) {
      if (!tensor.visible) break;  // private ones come last
      auto& layout = create.tensors[create.tensor_count++];
      const problem::View view = problem::whole_view_of(tensor);
      std::copy(view.extents.begin(), view.extents.end(), layout.extents);
      std::copy(view.strides.begin(), view.strides.end(), layout.strides);
    }
    create.scratch_limit = scratch_limit;
    return create;
  };
  const auto began = clock::now();
  each([&](Seat& seat) { seat.link.tell(message(seat.tensors.instance())); });
  answers({}, [](Seat& seat, const protocol::Packet& packet) {
    seat.link.answer_in<protocol::Ready>(packet);
    return true;
  });
  constructor_microseconds_ = microseconds(clock::now() - began);
}

// With the gate open: just-in-time compilation and autotuning belong there.
void Bench::warm_up(const Draw& draw) {
  const Sets sets = place(draw.placement);
  if (verified_) evaluator_.fill(draw.inputs);
  each([&](Seat& seat) {
    const Placement& placement = sets[static_cast<std::size_t>(seat.rank)].front();
    seat.gate.take_ticket();
    seat.tensors.poison(placement, warm_up_poison);
    seat.tensors.write_inputs(placement);
  });
  device_.synchronise();
  open_gate();
  each([](Seat& seat) { seat.link.enter("warm-up call"); });
  arm(sets, Launch::gated);
  await_ungated(all_seats());
}

void Bench::open_gate() { first().gate.open(); }

void Bench::cancel() { first().gate.cancel(); }  // of a group nobody is armed ahead

void Bench::end() {
  cancel();
  each([](Seat& seat) {
    seat.link.enter("destructor");
    seat.link.tell(protocol::Destroy{});
  });
  answers({}, [](Seat& seat, const protocol::Packet& packet) {
    seat.link.answer_in<protocol::Ready>(packet);
    return true;
  });
  each([](Seat& seat) { seat.threads.forget_files(); });
}

void Bench::leave() {
  cancel();
  each([](Seat& seat) { seat.link.tell(protocol::Bye{}); });
}

// Every set written, caches flushed unless they are to stay, all of it done when it returns. A worker that is
// to stand still does so before the arena is written, and its processor is kept awake until it goes on; what
// that takes is no part of `times.fill`.
void Bench::prepare(const Call& call, Times& times) {
  const auto began = clock::now();
  clock::duration spent{};
  const auto beside = [&](const std::function<void(WorkerThreads&)>& work) {
    each([&](Seat& seat) {
      if (!seat.threads.suspended()) return;
      const auto filled = clock::now();
      work(seat.threads);
      spent += clock::now() - filled;
    });
  };
  for (std::size_t k = 0; k < call.draws.size(); ++k) {
    if (verified_) evaluator_.fill(call.draws[k].inputs);
    if (k == 0 && !call.still) beside([](WorkerThreads& threads) { threads.wait_until_still(); });
    each([&](Seat& seat) {
      seat.tensors.poison(call.sets[static_cast<std::size_t>(seat.rank)][k], call.poison);
    });
    if (k == 0) beside([](WorkerThreads& threads) { threads.begin_watch(); });
    each([&](Seat& seat) { seat.tensors.write_inputs(call.sets[static_cast<std::size_t>(seat.rank)][k]); });
  }
  flush(call);
  beside([](WorkerThreads& threads) { threads.warm_processor(); });  // a flush has work for every processor
  if (call.clocked) clock_.before();
  device_.synchronise();
  beside([](WorkerThreads& threads) { threads.end_watch(); });
  times.stop = microseconds(spent);
  times.fill = microseconds(clock::now() - began - spent);
}

// On each device, once what the first one has written there has arrived.
void Bench::flush(const Call& call) {
  if (!alone()) device_.synchronise();
  const auto on = [&](Seat& seat) {
    if (call.flushed) seat.device.flush_caches();
    if (call.steady)
      seat.device.leave_unwritten(
          seat.tensors.bytes_written(call.sets[static_cast<std::size_t>(seat.rank)].front()));
  };
  each([&](Seat& seat) {
    if (seat.rank == 0 || &seat.device != &device_) on(seat);
  });
  each([&](Seat& seat) {
    if (&seat.device != &device_) seat.device.synchronise();
  });
}

Bench::Times Bench::timed_call(const Call& call, bool waits) {
  Times times;
  const ResumeAll resume{seats_};
  if (!call.armed) cancel();
  if (!call.still) each([](Seat& seat) { seat.threads.assume_no_room(); });
  if (call.launch == Launch::whole) {
    each([](Seat& seat) { seat.gate.take_ticket(); });
    prepare(call, times);
    open_gate();
    times.opened = clock::now();
    arm(call.sets, call.launch);
    await_finished(call, false, times);
    return times;
  }
  if (!blocking_ && !waits) {
    if (try_gated(call, times)) return times;
    blocking_ = true;
  }
  // A contestant that waits inside `run` needs its gate open first: its time includes the launch.
  const auto told = clock::now();
  each([](Seat& seat) { seat.gate.take_ticket(); });
  arm(call.sets, Launch::waiting);
  each([](Seat& seat) { seat.gate.armed_in_time(-1); });
  times.arm = microseconds(clock::now() - told);
  let_through(call, times);
  return times;
}

void Bench::arm(const Sets& sets, Launch launch) {
  each([&](Seat& seat) { seat.gate.arm(sets[static_cast<std::size_t>(seat.rank)], launch); });
}

// Only now: inputs that exist nowhere before, outputs poisoned, caches flushed.
void Bench::let_through(const Call& call, Times& times) {
  prepare(call, times);
  times.opened = clock::now();
  each([](Seat& seat) { seat.gate.let_through(); });
  await_finished(call, true, times);
}

// With the gate open: waits until the call has ended, and ignores its result.
void Bench::await_ungated(std::vector<Seat*> yet_to_arm) {
  answers({}, [&](Seat& seat, const protocol::Packet& packet) {
    if (std::erase(yet_to_arm, &seat) > 0) {
      seat.link.answer_in<protocol::Armed>(packet);
      return false;
    }
    seat.link.answer_in<protocol::Finished>(packet);
    return true;
  });
}

// False: it has waited in the call, which has been made for nothing.
bool Bench::try_gated(const Call& call, Times& times) {
  const auto told = clock::now();
  if (!call.armed) {
    each([](Seat& seat) { seat.gate.take_ticket(); });
    arm(call.sets, call.launch);
  }
  // On a CPU a worker arms before its contestant is called: nothing honest keeps it from that, and a gate
  // that opened first would show the inputs to threads that watch for them. Podium limits the wait.
  const int patience = call.launch == Launch::capture ? captured_after : blocking_after;
  std::vector<Seat*> waiting;
  if (!call.still)
    each([&](Seat& seat) {
      if (!seat.gate.armed_in_time(device_.spins() ? patience : -1)) waiting.push_back(&seat);
    });
  if (waiting.empty()) {
    times.arm = microseconds(clock::now() - told);
    // Where the arena is memory that the worker's threads can watch, they stand still meanwhile.
    if (!device_.spins())
      each([](Seat& seat) {
        if (!seat.threads.suspended()) seat.threads.suspend(0us);
      });
    let_through(call, times);
    return true;
  }
  open_gate();
  await_ungated(waiting);
  if (call.launch != Launch::gated)
    throw WorkerFailure(Verdict::not_capturable, "its capture or replay waits for the closed gate");
  return false;
}

// The judge's own interval ends when nothing that the worker does can change the outputs any more: on the CPU
// when its threads stand still, beside a GPU when the device has come back to the judge. The time of a group
// is that of the rank that took longest.
void Bench::await_finished(const Call& call, bool armed, Times& times) {
  const std::uint32_t ticket = first().gate.ticket();
  if (call.next && first().threads.room_beside()) first().gate.arm_ahead_beside(ahead_of(call.next->draw()));
  // Beside a GPU, where cores are plenty, it polls, which saves a wake-up. It polls messages, not a word that
  // the worker writes: a lie there would end the interval while the contestant still works. An emulated
  // device computes on those cores, and nothing is timed there.
  const std::chrono::microseconds poll = polls_ ? std::chrono::hours(1)
                                         : alone() && first().threads.room_beside()
                                             ? longest_poll
                                             : std::chrono::microseconds(0);
  std::vector<bool> has_armed(seats_.size(), armed);
  double earliest = std::numeric_limits<double>::infinity(), latest = -earliest;
  answers(poll, [&](Seat& seat, const protocol::Packet& packet) {
    const auto rank = static_cast<std::size_t>(seat.rank);
    if (!has_armed[rank]) {
      seat.link.answer_in<protocol::Armed>(packet);
      has_armed[rank] = true;
      return false;
    }
    const Gate::Finish finish = seat.gate.finish_in(packet, ticket);
    times.event = std::max(times.event, finish.microseconds);
    earliest = std::min(earliest, finish.began);
    latest = std::max(latest, finish.began);
    return true;
  });
  if (!alone() && std::isfinite(latest - earliest)) times.skew = latest - earliest;
  if (device_.spins())
    settle(call, times);
  else
    each([&](Seat& seat) {
      times.judge = std::max(times.judge, microseconds(seat.threads.hold() - times.opened));
    });
}

// On a GPU, work of the judge's own, at whose end its interval ends: what the worker has left running goes
// first, for it would be done when outputs are copied, and yet lie in nobody's time. The copies are in the
// same queue before that work begins: were it empty for a moment, the device would turn to the worker.
void Bench::settle(const Call& call, Times& times) {
  each([](Seat& seat) {
    seat.device.set(seat.mark->data(), 0, seat.mark->bytes());
    seat.device.mark();
  });
  const auto began = clock::now();
  std::optional<clock::time_point> settled;  // seen while copies are queued, which are many of several calls
  if (verified_)
    take_outputs(call, [&] {
      if (alone() && !settled && device_.marked()) settled = clock::now();
    });
  times.take = microseconds(clock::now() - began);
  each([](Seat& seat) { seat.device.await_mark(); });
  times.judge = microseconds(settled.value_or(clock::now()) - times.opened);
}

// `between`: between the copies of several calls.
void Bench::take_outputs(const Call& call, const std::function<void()>& between) {
  each([&](Seat& seat) {
    const auto& sets = call.sets[static_cast<std::size_t>(seat.rank)];
    if (call.together)
      seat.tensors.keep_outputs(sets, between);
    else
      seat.tensors.copy_outputs(sets.front());
  });
}

// `times.judge` ends where looking begins.
void Bench::look_while_held(Times& times, std::size_t seats, const std::function<void()>& look) {
  if (seats == 0) return look();
  Seat& held = *seats_[seats - 1];
  of(held, [&] {
    if (const auto end = held.threads.look_while_held([&] { look_while_held(times, seats - 1, look); }))
      times.judge = std::max(times.judge, microseconds(*end - times.opened));
  });
}

void Bench::check_untouched(protocol::Sampled& result, const Sets& sets) {
  each([&](Seat& seat) {
    if (result.verdict != Verdict::right) return;
    seat.check.check_untouched(result, sets[static_cast<std::size_t>(seat.rank)].front());
    if (result.verdict != Verdict::right && !alone())
      protocol::put(result.text, fmt::format("rank {}: {}", seat.rank, protocol::get(result.text)));
  });
}

Gate::Ahead Bench::ahead_of(const Draw& draw) const {
  return {.placement = first().tensors.place(draw.placement), .seed = draw.placement};
}

void Bench::put_times(protocol::Sampled& result, const Times& times) {
  result.event_microseconds = times.event;
  result.judge_microseconds = times.judge;
  result.fill_microseconds = times.fill;
  result.arm_microseconds = times.arm;
  result.stop_microseconds = times.stop;
  result.check_microseconds = times.take;
  result.skew_microseconds = static_cast<float>(times.skew);
}

protocol::Sampled Bench::sample(Draw draw, std::uint8_t poison, bool waits, Mode mode, const Next* next) {
  // A graph holds the addresses that it was captured with.
  const bool replayed = mode == Mode::graph && captured_;
  const Launch launch = replayed                   ? Launch::replay
                        : mode == Mode::graph      ? Launch::capture
                        : mode == Mode::end_to_end ? Launch::whole
                                                   : Launch::gated;
  if (mode == Mode::graph && (blocking_ || waits))
    throw WorkerFailure(Verdict::not_capturable, "it waits inside the call");
  const bool plain = launch == Launch::gated && !blocking_ && !waits;
  const auto told = plain && alone() ? first().gate.take_ahead(draw.placement) : std::nullopt;
  const Sets sets = replayed ? *captured_ : told ? Sets{{told->placement}} : place(draw.placement);
  // Beside a GPU nothing is armed ahead: it would lie on the device that the judge checks with.
  const bool arms_ahead = next && plain && alone() && !device_.spins();
  const ReleaseAll release{seats_};
  const Call call{.sets = sets,
                  .draws = std::span(&draw, 1),
                  .poison = poison,
                  .launch = launch,
                  .flushed = mode != Mode::hot,
                  .steady = mode == Mode::steady,
                  .clocked = mode == Mode::cold,
                  .armed = told.has_value(),
                  .still = told && told->still,
                  .next = arms_ahead ? next : nullptr};
  Times times = timed_call(call, waits);
  if (mode == Mode::graph) captured_ = sets;
  protocol::Sampled result{};
  const auto called = clock::now();
  look_while_held(times, seats_.size(), [&] {
    if (verified_ && !device_.spins()) take_outputs(call);
    if (mode == Mode::cold) {  // nobody asks for that of the others
      clock_.after();
      const auto clocks = clock_.read();
      result.clock_before = clocks.before;
      result.clock_after = clocks.after;
    }
    if (verified_) check_untouched(result, sets);
  });
  put_times(result, times);
  if (told) result.arm_microseconds += told->microseconds;
  result.blocking = blocking_;
  result.seed = draw.call;
  const auto checked = clock::now() - called;
  if (next && next->follows(result) && arms_ahead)
    first().gate.arm_next([&] { return ahead_of(next->draw()); });
  const auto begun = clock::now();
  if (verified_) first().check.verify(result, draw, poison);
  result.check_microseconds += microseconds(checked + (clock::now() - begun));
  return result;
}

// Several calls behind one gate: the judge's clock tells their sum as well as it tells one, and so each of
// them that many times better.
protocol::Sampled Bench::sample_together(std::span<const Draw> draws, std::uint8_t poison, bool waits) {
  const Sets sets{first().tensors.place_calls(draws.front().placement, draws.size())};
  const Call call{.sets = sets, .draws = draws, .poison = poison, .together = true};
  // That some calls cannot be queued behind one another says nothing about one alone.
  const bool alone = blocking_;
  const ReleaseAll release{seats_};
  Times times = timed_call(call, waits);
  const auto called = clock::now();
  look_while_held(times, seats_.size(), [&] {
    if (verified_ && !device_.spins()) take_outputs(call);
  });
  protocol::Sampled result{};
  put_times(result, times);
  result.blocking = blocking_;
  result.seed = draws.front().call;
  blocking_ = alone;
  if (!verified_) return result;
  first().check.check_together(result, sets.front(), call.draws, poison);
  result.check_microseconds += microseconds(clock::now() - called);
  return result;
}

void Bench::check_repeatable(int calls) const {
  if (calls < 1 || calls > protocol::most_repeats)
    throw Error(
        fmt::format("repeating {} calls was requested, expected 1 to {}", calls, protocol::most_repeats));
  if (!alone()) throw Error("repeating calls was requested of a group, expected one device");
  for (const auto& tensor : first().tensors.instance().tensors)
    if (tensor.visible && tensor.role == problem::Role::inout)
      throw Error(fmt::format("calls that change {} in place cannot be repeated", tensor.name));
}

// Until the worker's next message; how long that took is `times.judge`.
double Bench::watts_of_repeated(Times& times) {
  const auto began = clock::now();
  EnergyMeter meter(settled);
  for (const int wait = device_.spins() ? look_gpu : look_host; !first().link.wait(wait);) {
    const double joules = device_.energy();
    meter.look(microseconds(clock::now() - began) * 1e-6, joules);
  }
  times.judge = microseconds(clock::now() - began);
  return meter.watts();
}

// With the gate open: nothing is attested here, and what is computed is in nobody's way.
protocol::Sampled Bench::sample_repeated(Draw draw, std::uint8_t poison, int calls) {
  check_repeatable(calls);
  const Sets sets = place(draw.placement);
  const Call call{.sets = sets,
                  .draws = std::span(&draw, 1),
                  .poison = poison,
                  .launch = Launch::repeated,
                  .flushed = false};
  cancel();
  first().gate.take_ticket();
  protocol::Sampled result{};
  Times times;
  prepare(call, times);
  result.fill_microseconds = times.fill;
  open_gate();
  first().gate.arm(sets.front(), call.launch, calls);
  first().link.answer<protocol::Armed>();
  const ReleaseAll release{seats_};
  result.watts = watts_of_repeated(times);
  result.judge_microseconds = times.judge;
  std::int32_t made = 0;
  result.event_microseconds = first().gate.await_repeated(calls, made);
  result.calls = made;
  result.seed = draw.call;
  if (!verified_) return result;
  const auto called = clock::now();
  if (!device_.spins()) first().threads.hold();
  look_while_held(times, seats_.size(), [&] {
    take_outputs(call);
    check_untouched(result, sets);
  });
  first().check.verify(result, draw, poison);
  result.check_microseconds = microseconds(clock::now() - called);
  return result;
}

}  // namespace podium::judge
