// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/bench.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "suite/device/emulated.hpp"
#include "suite/judge/believable.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

// How long `run` may take to return while its gate is closed before its contestant counts as blocking. Far
// above what enqueueing takes, far below what a person waits.
constexpr int blocking_after = 400;   // milliseconds
constexpr int captured_after = 5000;  // milliseconds; building a graph of thousands of nodes takes its time

constexpr int first_few = 3;     // samples of an instance: a warm-up and both calls of a test
constexpr int most_stirred = 2;  // samples of an instance in which threads seem not to stand still

constexpr std::chrono::microseconds awake{200};  // for *armed*, before the judge sleeps; nothing is timed yet

constexpr std::uint8_t warm_up_poison = 0xFF;

}  // namespace

Bench::Bench(device::Device& device, device::Arena& arena, const device::Memory* kept, Evaluator& evaluator,
             ClockProbe& clock, protocol::Channel channel, pid_t pid, int ordinal,
             const std::string& interface_hash)
    : device_(device),
      arena_(arena),
      evaluator_(evaluator),
      clock_(clock),
      channel_(std::move(channel)),
      group_(pid),
      verified_(!interface_hash.empty()),
      looks_(device.spins() && !device::is_emulated(device.description().product)),
      mark_(device.spins() ? device.allocate(tensor_alignment) : nullptr),
      kept_(kept) {
  const device::Handle handle = arena_.handle();
  protocol::Setup setup{};
  setup.device = ordinal;
  setup.arena_has_descriptor = handle.descriptor >= 0;
  setup.arena_bytes = arena_.bytes();
  std::memcpy(setup.arena_token, handle.token, sizeof setup.arena_token);
  protocol::put(setup.interface_hash, interface_hash);
  const int descriptors[] = {page_.descriptor(), handle.descriptor};
  tell(setup, std::span(descriptors, handle.descriptor >= 0 ? 2 : 1));
  answer<protocol::Ready>();
}

Bench::~Bench() = default;

template <class M>
void Bench::tell(const M& message, std::span<const int> descriptors) {
  try {
    channel_.send(message, descriptors);
  } catch (const protocol::Closed&) {  // its end, not podium's
    throw WorkerFailure(Verdict::gone, "the worker's process ended");
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

protocol::Packet Bench::from_worker() {
  try {
    return std::move(*channel_.receive());
  } catch (const protocol::Closed&) {
    throw WorkerFailure(Verdict::gone, "the worker's process ended");
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

template <class M>
M Bench::answer() {
  return answer_in<M>(from_worker());
}

template <class M>
M Bench::answer_in(const protocol::Packet& packet) {
  try {
    if (packet.type() != protocol::Failed::type) return packet.as<M>();
    const auto& failed = packet.as<protocol::Failed>();
    const bool known = failed.verdict == Verdict::unsupported || failed.verdict == Verdict::threw ||
                       failed.verdict == Verdict::device_error || failed.verdict == Verdict::not_capturable;
    page_.open_gate(ticket_);  // what is queued behind it can go
    throw WorkerFailure(known ? failed.verdict : Verdict::broke_protocol, protocol::get(failed.text));
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

template protocol::Armed Bench::answer();  // for the other files
template protocol::Finished Bench::answer();

void Bench::begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up) {
  instance_ = &instance;
  blocking_ = false;
  stirred_ = stopped_ = 0;
  captured_.reset();
  ahead_.reset();
  if (verified_) show_structure();
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
  tell(create);
  answer<protocol::Ready>();

  // The warm-up runs with the gate open: just-in-time compilation and autotuning belong there.
  const Placement placement = place(instance, room(), warm_up.placement);
  ++ticket_;
  if (verified_) evaluator_.fill(warm_up.inputs);
  write(placement, warm_up_poison);
  device_.synchronise();
  page_.open_gate(ticket_);
  arm(std::span(&placement, 1), protocol::Launch::gated);
  answer<protocol::Armed>();
  answer<protocol::Finished>();
}

// The device's copy into the arena, where every sample finds it and looks whether it has changed; the host's
// copy in a sealed file that nobody can write.
void Bench::show_structure() {
  const Placement placement = place(*instance_, room(), 0);
  const PackedStructure& packed = evaluator_.structure();
  protocol::Structures message{};
  for (std::size_t s = 0; s < instance_->structure.size(); ++s) {
    const auto& structure = instance_->structure[s];
    if (!structure.visible) continue;
    const Range at = placement.structure[s];
    if (at.bytes > 0) device_.copy(arena_.data() + at.offset, packed.data(s), at.bytes);
    auto& layout = message.structures[message.count++];
    layout.offset = at.offset;
    layout.host_offset = packed.file_offset(s);
    layout.rank = static_cast<std::int32_t>(structure.extents.size());
    std::copy(structure.extents.begin(), structure.extents.end(), layout.extents);
  }
  if (message.count == 0) return;
  device_.synchronise();
  message.host_bytes = packed.file_bytes();
  const Descriptor file = packed.open();
  const int descriptor = file.get();
  tell(message, std::span(&descriptor, 1));
  answer<protocol::Ready>();
}

void Bench::end() {
  tell(protocol::Destroy{});
  answer<protocol::Ready>();
  instance_ = nullptr;
  group_.forget();  // workers are many, descriptors few
}

void Bench::leave() { tell(protocol::Bye{}); }

// Into the arena, from the judge's own memory.
void Bench::write(const Placement& placement, std::uint8_t poison, Freeze* frozen) {
  for (const auto& [at, name, before] : placement.guards)
    if (at.bytes > 0) device_.set(arena_.data() + at.offset, guard_byte, at.bytes);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        at.bytes > 0 && instance_->tensors[t].role == problem::Role::output)
      device_.set(arena_.data() + at.offset, poison, at.bytes);
  if (frozen) frozen->begin_watch();
  // Last, so that what of them fits is in the caches of a call before which nothing is flushed.
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        verified_ && at.bytes > 0 && instance_->tensors[t].role != problem::Role::output)
      device_.copy(arena_.data() + at.offset, evaluator_.input(t), at.bytes);
}

// Every set written, caches flushed unless they are to stay, all of it done when it returns. The wait for a
// worker that is to stand still before the arena is written is no part of `times.fill`.
void Bench::prepare(const Call& call, Freeze* frozen, Times& times) {
  const auto began = clock::now();
  clock::duration waited{};
  for (std::size_t k = 0; k < call.sets.size(); ++k) {
    if (verified_) evaluator_.fill(call.draws[k].inputs);
    if (frozen && k == 0) try {
        const auto filled = clock::now();
        frozen->wait();
        waited = clock::now() - filled;
      } catch (const Error& e) {
        throw WorkerFailure(Verdict::broke_protocol, e.what());
      }
    write(call.sets[k], call.poison, k == 0 ? frozen : nullptr);
  }
  if (call.flushed) device_.flush_caches();
  if (call.clocked) clock_.before();
  device_.synchronise();
  // Now and then a thread that has stopped is counted late; a watcher runs in every sample.
  // But one that runs in both calls of a test would be right there, so of the first few two are too many.
  stopped_ += frozen != nullptr;
  if (frozen && !frozen->stood_still() && ++stirred_ > (stopped_ <= first_few ? 1 : most_stirred))
    throw WorkerFailure(
        Verdict::broke_protocol,
        fmt::format("its threads ran while they were to stand still and its inputs were written, "
                    "in {} samples of an instance",
                    stirred_));
  times.stop = microseconds(waited);
  times.fill = microseconds(clock::now() - began - waited);
}

void Bench::arm(std::span<const Placement> sets, protocol::Launch launch, int repeats) {
  protocol::Arm message{};
  message.ticket = ticket_;
  message.calls = static_cast<std::int32_t>(sets.size());
  message.launch = launch;
  message.repeats = repeats;
  for (std::size_t k = 0; k < sets.size(); ++k)
    for (std::size_t t = 0; t < sets[k].tensors.size(); ++t)
      message.offsets[k][t] = sets[k].tensors[t].offset;
  tell(message);
}

// While the judge checks what came before: a wake-up that nobody waits for. Not beside a GPU, where what is
// armed lies on the device that the judge checks with.
void Bench::arm_ahead(Draw next) {
  const auto told = clock::now();
  ahead_ = place(*instance_, room(), next.placement);
  ++ticket_;
  arm(std::span(&*ahead_, 1), protocol::Launch::gated);
  ahead_microseconds_ = microseconds(clock::now() - told);
}

bool Bench::armed_in_time(protocol::Launch launch) {
  // On a CPU a worker arms before its contestant is called: nothing honest keeps it from that, and a gate
  // that opened first would show the inputs to threads that watch for them. Podium limits the wait.
  const int patience = launch == protocol::Launch::capture ? captured_after : blocking_after;
  if (!channel_.wait(0)) {
    channel_.look_out(awake);
    if (!channel_.wait(device_.spins() ? patience : -1)) return false;
  }
  answer<protocol::Armed>();
  return true;
}

// Waits for *finished*, and for *armed* before it unless that has come; the judge's own interval ends when it
// hears, beside a GPU when the device has come back to the judge.
void Bench::hear(clock::time_point opened, bool armed, Times& times) {
  // Beside a GPU, where cores are plenty, it looks again and again, which saves a wake-up. At messages, not
  // at a word that the worker writes: a lie there would end the interval while the contestant still works.
  // An emulated device computes on those cores, and nothing is timed there.
  const auto next = [&] {
    while (looks_ && !channel_.wait(0)) {
    }
    return from_worker();
  };
  if (!armed) answer_in<protocol::Armed>(next());
  const protocol::Packet finished = next();
  times.judge = microseconds(clock::now() - opened);
  times.event = believable(answer_in<protocol::Finished>(finished), ticket_);
  if (!device_.spins()) return;
  settle();
  times.judge = microseconds(clock::now() - opened);
}

Bench::Times Bench::timed_call(const Call& call, bool waits) {
  using protocol::Launch;
  Times times;
  if (!blocking_ && !waits && call.launch != Launch::whole) {
    const auto told = clock::now();
    if (!call.armed) {
      ++ticket_;
      arm(call.sets, call.launch);
    }
    if (armed_in_time(call.launch)) {
      times.arm = microseconds(clock::now() - told);
      // Only now: inputs that exist nowhere before, outputs poisoned, caches flushed. Where the arena is
      // memory that the worker's threads can watch, they stand still meanwhile.
      std::optional<Freeze> frozen;
      if (!device_.spins()) frozen.emplace(group_);
      prepare(call, frozen ? &*frozen : nullptr, times);
      const auto opened = clock::now();
      if (frozen)
        page_.let_pass(ticket_);
      else
        page_.open_gate(ticket_);
      frozen.reset();
      hear(opened, true, times);
      return times;
    }
    page_.open_gate(ticket_);
    answer<protocol::Armed>();
    answer<protocol::Finished>();
    if (call.launch != Launch::gated)
      throw WorkerFailure(Verdict::not_capturable, "its capture or replay waits where the gate is closed");
    blocking_ = true;
  }
  // A contestant that waits inside `run` needs its gate open first: its time includes the launch.
  ++ticket_;
  prepare(call, nullptr, times);
  page_.open_gate(ticket_);
  const auto opened = clock::now();
  arm(call.sets, call.launch);
  hear(opened, false, times);
  return times;
}

protocol::Sampled Bench::sampled_in(const Times& times) {
  protocol::Sampled result{};
  result.event_microseconds = times.event;
  result.judge_microseconds = times.judge;
  result.fill_microseconds = times.fill;
  result.arm_microseconds = times.arm;
  result.stop_microseconds = times.stop;
  return result;
}

protocol::Sampled Bench::sample(Draw draw, std::uint8_t poison, bool waits, protocol::Mode mode,
                                const Follow& follow) {
  using protocol::Launch, protocol::Mode;
  // A graph holds the addresses that it was captured with.
  const bool replayed = mode == Mode::graph && captured_;
  const bool armed = ahead_.has_value();
  const Placement placement = replayed ? *captured_
                              : armed  ? *std::exchange(ahead_, std::nullopt)
                                       : place(*instance_, room(), draw.placement);
  const Launch launch = replayed                   ? Launch::replay
                        : mode == Mode::graph      ? Launch::capture
                        : mode == Mode::end_to_end ? Launch::whole
                                                   : Launch::gated;
  if (mode == Mode::graph && (blocking_ || waits))
    throw WorkerFailure(Verdict::not_capturable, "it waits inside the call");
  const Times times = timed_call({.sets = std::span(&placement, 1),
                                  .draws = std::span(&draw, 1),
                                  .poison = poison,
                                  .launch = launch,
                                  .flushed = mode != Mode::hot,
                                  .clocked = mode == Mode::cold,
                                  .armed = armed},
                                 waits);
  if (mode == Mode::graph) captured_ = placement;
  auto result = sampled_in(times);
  if (armed) result.arm_microseconds += ahead_microseconds_;
  const auto called = clock::now();
  if (verified_) take_outputs(placement);
  if (mode == Mode::cold) {  // nobody asks for that of the others
    clock_.after();
    const auto clocks = clock_.read();
    result.clock_before = clocks.before;
    result.clock_after = clocks.after;
  }
  result.blocking = blocking_;
  result.seed = draw.call;
  clock::duration ahead{};
  if (const auto next = follow ? follow(result) : std::nullopt;
      next && launch == Launch::gated && !blocking_ && !waits && !device_.spins()) {
    const auto began = clock::now();
    arm_ahead(*next);
    ahead = clock::now() - began;
  }
  if (verified_) judge(result, placement, draw, poison);
  result.check_microseconds = microseconds(clock::now() - called - ahead);
  return result;
}

}  // namespace podium::judge
