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
using std::chrono_literals::operator""us;

// For *finished*: a judge that has slept for milliseconds takes long to wake, too.
constexpr std::chrono::milliseconds longest_poll{1};

constexpr std::uint8_t warm_up_poison = 0xFF;

}  // namespace

Bench::Bench(device::Device& device, device::Arena& arena, const device::Memory* kept, Evaluator& evaluator,
             ClockProbe& clock, IdleSpinner& spinner, BackgroundTask& background, protocol::Channel channel,
             pid_t pid, int ordinal, const std::string& interface_hash)
    : device_(device),
      arena_(arena),
      evaluator_(evaluator),
      clock_(clock),
      spinner_(spinner),
      background_(background),
      channel_(std::move(channel)),
      group_(pid),
      verified_(!interface_hash.empty()),
      polls_(device.spins() && !device::is_emulated(device.description().product)),
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

Bench::~Bench() { background_.cancel(); }

template <class M>
void Bench::tell(const M& message, std::span<const int> descriptors) {
  try {
    channel_.send(message, descriptors);
  } catch (const protocol::Closed&) {  // its end, not podium's
    throw WorkerFailure(Verdict::gone, stage_);
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

// Looks first, then sleeps; nothing if it has not come `milliseconds` after that (-1: for ever).
std::optional<protocol::Packet> Bench::from_worker(std::chrono::microseconds look, int milliseconds) {
  try {
    if (look.count() > 0)
      if (auto packet = channel_.look_for(look)) return packet;
    return channel_.receive(milliseconds);
  } catch (const protocol::Closed&) {
    throw WorkerFailure(Verdict::gone, stage_);
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

template <class M>
M Bench::answer() {
  return answer_in<M>(*from_worker());
}

template <class M>
M Bench::answer_in(const protocol::Packet& packet) {
  try {
    if (packet.type() != protocol::Failed::type) return packet.as<M>();
    const auto& failed = packet.as<protocol::Failed>();
    const bool known = failed.verdict == Verdict::unsupported || failed.verdict == Verdict::threw ||
                       failed.verdict == Verdict::device_error || failed.verdict == Verdict::not_capturable;
    if (!ahead_) page_.open_gate(ticket_);  // what is queued behind it can go
    throw WorkerFailure(known ? failed.verdict : Verdict::broke_protocol, protocol::get(failed.text));
  } catch (const protocol::Malformed& e) {
    throw WorkerFailure(Verdict::broke_protocol, e.what());
  }
}

// For the other files.
template void Bench::tell(const protocol::Arm&, std::span<const int>);
template protocol::Armed Bench::answer();
template protocol::Finished Bench::answer();
template protocol::Armed Bench::answer_in(const protocol::Packet&);

void Bench::begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up) {
  instance_ = &instance;
  blocking_ = false;
  moved_ = stopped_ = 0;
  captured_.reset();
  stage_ = "constructor";
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
  poison(placement, warm_up_poison);
  write_inputs(placement);
  device_.synchronise();
  page_.open_gate(ticket_);
  stage_ = "warm-up call";
  arm(std::span(&placement, 1), protocol::Launch::gated);
  answer<protocol::Armed>();
  answer<protocol::Finished>();
  stage_ = "call";
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
  cancel();
  stage_ = "destructor";
  tell(protocol::Destroy{});
  answer<protocol::Ready>();
  instance_ = nullptr;
  group_.forget();  // workers are many, descriptors few
}

void Bench::leave() {
  cancel();
  tell(protocol::Bye{});
}

// Waits for *finished*, and for *armed* before it unless that has come. The judge's own interval ends when
// nothing that the worker does can change the outputs any more: on the CPU when its threads stand still,
// beside a GPU when the device has come back to the judge.
void Bench::await_finished(const Call& call, bool armed, Times& times) {
  const std::uint32_t ticket = ticket_;
  if (call.next && polls_briefly_) {
    arm_ahead(call.next->draw());
    background_.prepare([this] { arm_in_background(); });
  }
  // Beside a GPU, where cores are plenty, it looks again and again, which saves a wake-up. At messages, not
  // at a word that the worker writes: a lie there would end the interval while the contestant still works.
  // An emulated device computes on those cores, and nothing is timed there.
  const std::chrono::microseconds look = polls_           ? std::chrono::hours(1)
                                         : polls_briefly_ ? longest_poll
                                                          : std::chrono::microseconds(0);
  if (!armed) answer_in<protocol::Armed>(*from_worker(look));
  const protocol::Packet finished = std::move(*from_worker(look));
  times.event = checked_time(answer_in<protocol::Finished>(finished), ticket);
  if (device_.spins())
    settle(call, times);
  else
    hold(needs_signal_, times);
}

Bench::Times Bench::timed_call(const Call& call, bool waits) {
  using protocol::Launch;
  Times times;
  const ResumeOnExit resume{before_gate_};
  if (!call.armed) cancel();
  if (!call.seen_to) polls_briefly_ = false;
  if (!blocking_ && !waits && call.launch != Launch::whole) {
    const auto told = clock::now();
    if (!call.armed) {
      ++ticket_;
      arm(call.sets, call.launch);
    }
    if (call.seen_to || armed_in_time(call.launch)) {
      times.arm = microseconds(clock::now() - told);
      // Only now: inputs that exist nowhere before, outputs poisoned, caches flushed. Where the arena is
      // memory that the worker's threads can watch, they stand still meanwhile.
      if (!device_.spins() && !before_gate_) suspend(0us);
      prepare(call, times);
      times.opened = clock::now();
      if (before_gate_ && before_gate_->signalled())
        page_.open_without_wake(ticket_);
      else
        page_.open_gate(ticket_);
      before_gate_.reset();
      await_finished(call, true, times);
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
  prepare(call, times);
  page_.open_gate(ticket_);
  times.opened = clock::now();
  arm(call.sets, call.launch);
  await_finished(call, false, times);
  return times;
}

void Bench::put_times(protocol::Sampled& result, const Times& times) {
  result.event_microseconds = times.event;
  result.judge_microseconds = times.judge;
  result.fill_microseconds = times.fill;
  result.arm_microseconds = times.arm;
  result.stop_microseconds = times.stop;
  result.check_microseconds = times.take;
}

protocol::Sampled Bench::sample(Draw draw, std::uint8_t poison, bool waits, protocol::Mode mode,
                                const Next* next) {
  using protocol::Launch, protocol::Mode;
  // A graph holds the addresses that it was captured with.
  const bool replayed = mode == Mode::graph && captured_;
  const Launch launch = replayed                   ? Launch::replay
                        : mode == Mode::graph      ? Launch::capture
                        : mode == Mode::end_to_end ? Launch::whole
                                                   : Launch::gated;
  if (mode == Mode::graph && (blocking_ || waits))
    throw WorkerFailure(Verdict::not_capturable, "it waits inside the call");
  const bool plain = launch == Launch::gated && !blocking_ && !waits;
  const bool told = plain && ahead_ && ahead_->seed == draw.placement;
  const auto asked = clock::now();
  const bool seen_to = told && finish_arming();
  const double telling = told ? ahead_->microseconds + microseconds(clock::now() - asked) : 0;
  const Placement placement = replayed ? *captured_
                              : told   ? std::exchange(ahead_, std::nullopt)->placement
                                       : place(*instance_, room(), draw.placement);
  // Beside a GPU nothing is armed ahead: it would lie on the device that the judge checks with.
  const bool ahead = next && plain && !device_.spins();
  const ResumeOnExit resume_after{after_call_};
  const Call call{.sets = std::span(&placement, 1),
                  .draws = std::span(&draw, 1),
                  .poison = poison,
                  .launch = launch,
                  .flushed = mode != Mode::hot,
                  .steady = mode == Mode::steady,
                  .clocked = mode == Mode::cold,
                  .armed = told,
                  .seen_to = seen_to,
                  .next = ahead ? next : nullptr};
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
    if (verified_) check_untouched(result, placement);
  });
  put_times(result, times);
  result.arm_microseconds += telling;
  result.blocking = blocking_;
  result.seed = draw.call;
  const auto checked = clock::now() - called;
  if (next && next->follows(result) && ahead) {
    const auto began = clock::now();
    if (ahead_)
      background_.start();
    else
      arm_ahead(next->draw());
    ahead_->microseconds = microseconds(clock::now() - began);
  }
  const auto begun = clock::now();
  if (verified_) verify(result, draw, poison);
  result.check_microseconds += microseconds(checked + (clock::now() - begun));
  return result;
}

}  // namespace podium::judge
