// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
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
    : device_(shared.device),
      arena_(shared.arena),
      evaluator_(shared.evaluator),
      clock_(shared.clock),
      verified_(!interface_hash.empty()),
      polls_(device_.spins() && !device_.description().emulated),
      mark_(device_.spins() ? device_.allocate(tensor_alignment) : nullptr),
      link_(std::move(channel)),
      threads_(pid, shared.spinner),
      gate_(link_, threads_, shared.background),
      tensors_(device_, arena_, shared.kept, evaluator_, verified_),
      check_(arena_, evaluator_, tensors_) {
  set_up(interface_hash, shared.ordinal);
}

void Bench::set_up(const std::string& interface_hash, int ordinal) {
  const device::Handle handle = arena_.handle();
  protocol::Setup setup{};
  setup.device = ordinal;
  setup.arena_has_descriptor = handle.descriptor >= 0;
  setup.arena_bytes = arena_.bytes();
  std::memcpy(setup.arena_token, handle.token, sizeof setup.arena_token);
  protocol::put(setup.interface_hash, interface_hash);
  const int descriptors[] = {gate_.page(), handle.descriptor};
  link_.tell(setup, std::span(descriptors, handle.descriptor >= 0 ? 2 : 1));
  link_.answer<protocol::Ready>();
}

void Bench::begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up) {
  tensors_.begin(instance);
  threads_.begin();
  blocking_ = false;
  captured_.reset();
  link_.enter("constructor");
  if (verified_) show_structure();
  create(scratch_limit);
  this->warm_up(warm_up);
  link_.enter("call");
}

// The device's copy in the arena, where every sample looks whether it has changed; the host's copy in a
// sealed file that nobody can write.
void Bench::show_structure() {
  const protocol::Structures message = tensors_.write_structure();
  if (message.count == 0) return;
  const Descriptor file = evaluator_.structure().open();
  const int descriptor = file.get();
  link_.tell(message, std::span(&descriptor, 1));
  link_.answer<protocol::Ready>();
}

void Bench::create(std::int64_t scratch_limit) {
  const problem::Instance& instance = tensors_.instance();
  protocol::Create create{};
  for (const std::int64_t axis : instance.axes) create.axes[create.axis_count++] = axis;
  for (const double parameter : instance.parameters) create.parameters[create.parameter_count++] = parameter;
  for (const auto& tensor : instance.tensors) {
    if (!tensor.visible) break;  // private ones come last
    auto& layout = create.tensors[create.tensor_count++];
    const problem::View view = problem::whole_view_of(tensor);
    std::copy(view.extents.begin(), view.extents.end(), layout.extents);
    std::copy(view.strides.begin(), view.strides.end(), layout.strides);
  }
  create.scratch_limit = scratch_limit;
  const auto began = clock::now();
  link_.tell(create);
  link_.answer<protocol::Ready>();
  constructor_microseconds_ = microseconds(clock::now() - began);
}

// With the gate open: just-in-time compilation and autotuning belong there.
void Bench::warm_up(const Draw& draw) {
  const Placement placement = tensors_.place(draw.placement);
  gate_.take_ticket();
  if (verified_) evaluator_.fill(draw.inputs);
  tensors_.poison(placement, warm_up_poison);
  tensors_.write_inputs(placement);
  device_.synchronise();
  gate_.open();
  link_.enter("warm-up call");
  gate_.arm(std::span(&placement, 1), Launch::gated);
  link_.answer<protocol::Armed>();
  link_.answer<protocol::Finished>();
}

void Bench::end() {
  gate_.cancel();
  link_.enter("destructor");
  link_.tell(protocol::Destroy{});
  link_.answer<protocol::Ready>();
  threads_.forget_files();
}

void Bench::leave() {
  gate_.cancel();
  link_.tell(protocol::Bye{});
}

// Every set written, caches flushed unless they are to stay, all of it done when it returns. A worker that is
// to stand still does so before the arena is written, and its processor is kept awake until it goes on; what
// that takes is no part of `times.fill`.
void Bench::prepare(const Call& call, Times& times) {
  const auto began = clock::now();
  clock::duration spent{};
  const auto beside = [&](const auto& work) {
    if (!threads_.suspended()) return;
    const auto filled = clock::now();
    work();
    spent += clock::now() - filled;
  };
  for (std::size_t k = 0; k < call.sets.size(); ++k) {
    if (verified_) evaluator_.fill(call.draws[k].inputs);
    if (k == 0 && !call.still) beside([&] { threads_.wait_until_still(); });
    tensors_.poison(call.sets[k], call.poison);
    if (k == 0) beside([&] { threads_.begin_watch(); });
    tensors_.write_inputs(call.sets[k]);
  }
  if (call.flushed) device_.flush_caches();
  if (call.steady) device_.leave_unwritten(tensors_.bytes_written(call.sets.front()));
  beside([&] { threads_.keep_processor_awake(); });  // a flush has work for every processor
  if (call.clocked) clock_.before();
  device_.synchronise();
  beside([&] { threads_.end_watch(); });
  times.stop = microseconds(spent);
  times.fill = microseconds(clock::now() - began - spent);
}

Bench::Times Bench::timed_call(const Call& call, bool waits) {
  Times times;
  const WorkerThreads::ResumeAtExit resume{threads_};
  if (!call.armed) gate_.cancel();
  if (!call.still) threads_.assume_no_room();
  if (!blocking_ && !waits && call.launch != Launch::whole) {
    if (try_gated(call, times)) return times;
    blocking_ = true;
  }
  // A contestant that waits inside `run` needs its gate open first: its time includes the launch.
  gate_.take_ticket();
  prepare(call, times);
  gate_.open();
  times.opened = clock::now();
  gate_.arm(call.sets, call.launch);
  await_finished(call, false, times);
  return times;
}

// False: it has waited in the call, which has been made for nothing.
bool Bench::try_gated(const Call& call, Times& times) {
  const auto told = clock::now();
  if (!call.armed) {
    gate_.take_ticket();
    gate_.arm(call.sets, call.launch);
  }
  // On a CPU a worker arms before its contestant is called: nothing honest keeps it from that, and a gate
  // that opened first would show the inputs to threads that watch for them. Podium limits the wait.
  const int patience = call.launch == Launch::capture ? captured_after : blocking_after;
  if (call.still || gate_.armed_in_time(device_.spins() ? patience : -1)) {
    times.arm = microseconds(clock::now() - told);
    // Only now: inputs that exist nowhere before, outputs poisoned, caches flushed. Where the arena is
    // memory that the worker's threads can watch, they stand still meanwhile.
    if (!device_.spins() && !threads_.suspended()) threads_.suspend(0us);
    prepare(call, times);
    times.opened = clock::now();
    gate_.let_through();
    await_finished(call, true, times);
    return true;
  }
  gate_.open();
  link_.answer<protocol::Armed>();
  link_.answer<protocol::Finished>();
  if (call.launch != Launch::gated)
    throw WorkerFailure(Verdict::not_capturable, "its capture or replay waits for the closed gate");
  return false;
}

// The judge's own interval ends when nothing that the worker does can change the outputs any more: on the CPU
// when its threads stand still, beside a GPU when the device has come back to the judge.
void Bench::await_finished(const Call& call, bool armed, Times& times) {
  const std::uint32_t ticket = gate_.ticket();
  if (call.next && threads_.room_beside()) gate_.arm_ahead_beside(ahead_of(call.next->draw()));
  // Beside a GPU, where cores are plenty, it polls, which saves a wake-up. It polls messages, not a word that
  // the worker writes: a lie there would end the interval while the contestant still works. An emulated
  // device computes on those cores, and nothing is timed there.
  const std::chrono::microseconds poll = polls_                   ? std::chrono::hours(1)
                                         : threads_.room_beside() ? longest_poll
                                                                  : std::chrono::microseconds(0);
  times.event = gate_.await_finished(ticket, armed, poll);
  if (device_.spins())
    settle(call, times);
  else
    times.judge = microseconds(threads_.hold() - times.opened);
}

// On a GPU, work of the judge's own, at whose end its interval ends: what the worker has left running goes
// first, for it would be done when outputs are copied, and yet lie in nobody's time. The copies are in the
// same queue before that work begins: were it empty for a moment, the device would turn to the worker.
void Bench::settle(const Call& call, Times& times) {
  device_.set(mark_->data(), 0, mark_->bytes());
  device_.mark();
  const auto began = clock::now();
  if (verified_) take_outputs(call);
  times.take = microseconds(clock::now() - began);
  device_.await_mark();
  times.judge = microseconds(clock::now() - times.opened);
}

void Bench::take_outputs(const Call& call) {
  if (call.together)
    tensors_.keep_outputs(call.sets);
  else
    tensors_.copy_outputs(call.sets.front());
}

// `times.judge` ends where looking begins.
void Bench::look_while_held(Times& times, const std::function<void()>& look) {
  if (const auto end = threads_.look_while_held(look)) times.judge = microseconds(*end - times.opened);
}

Gate::Ahead Bench::ahead_of(const Draw& draw) const {
  return {.placement = tensors_.place(draw.placement), .seed = draw.placement};
}

void Bench::put_times(protocol::Sampled& result, const Times& times) {
  result.event_microseconds = times.event;
  result.judge_microseconds = times.judge;
  result.fill_microseconds = times.fill;
  result.arm_microseconds = times.arm;
  result.stop_microseconds = times.stop;
  result.check_microseconds = times.take;
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
  const auto told = plain ? gate_.take_ahead(draw.placement) : std::nullopt;
  const Placement placement = replayed ? *captured_ : told ? told->placement : tensors_.place(draw.placement);
  // Beside a GPU nothing is armed ahead: it would lie on the device that the judge checks with.
  const bool arms_ahead = next && plain && !device_.spins();
  const WorkerThreads::ReleaseAtExit release{threads_};
  const Call call{.sets = std::span(&placement, 1),
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
  if (mode == Mode::graph) captured_ = placement;
  protocol::Sampled result{};
  const auto called = clock::now();
  look_while_held(times, [&] {
    if (verified_ && !device_.spins()) take_outputs(call);
    if (mode == Mode::cold) {  // nobody asks for that of the others
      clock_.after();
      const auto clocks = clock_.read();
      result.clock_before = clocks.before;
      result.clock_after = clocks.after;
    }
    if (verified_) check_.check_untouched(result, placement);
  });
  put_times(result, times);
  if (told) result.arm_microseconds += told->microseconds;
  result.blocking = blocking_;
  result.seed = draw.call;
  const auto checked = clock::now() - called;
  if (next && next->follows(result) && arms_ahead) gate_.arm_next([&] { return ahead_of(next->draw()); });
  const auto begun = clock::now();
  if (verified_) check_.verify(result, draw, poison);
  result.check_microseconds += microseconds(checked + (clock::now() - begun));
  return result;
}

// Several calls behind one gate: the judge's clock tells their sum as well as it tells one, and so each of
// them that many times better.
protocol::Sampled Bench::sample_together(std::span<const Draw> draws, std::uint8_t poison, bool waits) {
  const std::vector<Placement> sets = tensors_.place_calls(draws.front().placement, draws.size());
  const Call call{.sets = sets, .draws = draws, .poison = poison, .together = true};
  // That some calls cannot be queued behind one another says nothing about one alone.
  const bool alone = blocking_;
  const WorkerThreads::ReleaseAtExit release{threads_};
  Times times = timed_call(call, waits);
  const auto called = clock::now();
  look_while_held(times, [&] {
    if (verified_ && !device_.spins()) take_outputs(call);
  });
  protocol::Sampled result{};
  put_times(result, times);
  result.blocking = blocking_;
  result.seed = draws.front().call;
  blocking_ = alone;
  if (!verified_) return result;
  check_.check_together(result, call.sets, call.draws, poison);
  result.check_microseconds += microseconds(clock::now() - called);
  return result;
}

void Bench::check_repeatable(int calls) const {
  if (calls < 1 || calls > protocol::most_repeats)
    throw Error(
        fmt::format("repeating {} calls was requested, expected 1 to {}", calls, protocol::most_repeats));
  for (const auto& tensor : tensors_.instance().tensors)
    if (tensor.visible && tensor.role == problem::Role::inout)
      throw Error(fmt::format("calls that change {} in place cannot be repeated", tensor.name));
}

// Until the worker's next message; how long that took is `times.judge`.
double Bench::watts_of_repeated(Times& times) {
  const auto began = clock::now();
  EnergyMeter meter(settled);
  for (const int wait = device_.spins() ? look_gpu : look_host; !link_.wait(wait);) {
    const double joules = device_.energy();
    meter.look(microseconds(clock::now() - began) * 1e-6, joules);
  }
  times.judge = microseconds(clock::now() - began);
  return meter.watts();
}

// With the gate open: nothing is attested here, and what is computed is in nobody's way.
protocol::Sampled Bench::sample_repeated(Draw draw, std::uint8_t poison, int calls) {
  check_repeatable(calls);
  const Placement placement = tensors_.place(draw.placement);
  const Call call{.sets = std::span(&placement, 1),
                  .draws = std::span(&draw, 1),
                  .poison = poison,
                  .launch = Launch::repeated,
                  .flushed = false};
  gate_.cancel();
  gate_.take_ticket();
  protocol::Sampled result{};
  Times times;
  prepare(call, times);
  result.fill_microseconds = times.fill;
  gate_.open();
  gate_.arm(call.sets, call.launch, calls);
  link_.answer<protocol::Armed>();
  const WorkerThreads::ReleaseAtExit release{threads_};
  result.watts = watts_of_repeated(times);
  result.judge_microseconds = times.judge;
  std::int32_t made = 0;
  result.event_microseconds = gate_.await_repeated(calls, made);
  result.calls = made;
  result.seed = draw.call;
  if (!verified_) return result;
  const auto called = clock::now();
  if (!device_.spins()) threads_.hold();
  look_while_held(times, [&] {
    take_outputs(call);
    check_.check_untouched(result, placement);
  });
  check_.verify(result, draw, poison);
  result.check_microseconds = microseconds(clock::now() - called);
  return result;
}

}  // namespace podium::judge
