// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/bench.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <optional>
#include <vector>

namespace podium::judge {
namespace {

using protocol::Verdict;

// How long `run` may take to return while its gate is closed before its contestant counts as blocking. Far
// above what enqueueing takes, far below what a person waits.
constexpr int blocking_after = 400;   // milliseconds
constexpr int captured_after = 5000;  // milliseconds; building a graph of thousands of nodes takes its time

constexpr std::chrono::microseconds awake{200};  // for *armed*, before the judge sleeps; nothing is timed yet

constexpr std::uint8_t warm_up_poison = 0xFF;

// A file in memory with these bytes, which nobody can change any more.
Descriptor sealed_file(std::span<const std::byte> bytes) {
  Descriptor file(memfd_create("podium-structure", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  std::size_t written = 0;
  while (file && written < bytes.size()) {
    const ssize_t count = write(file.get(), bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (!file || written < bytes.size() ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    throw Error(
        fmt::format("no file to share structure with the worker could be made: {}", std::strerror(errno)));
  return file;
}

}  // namespace

SharedPage::SharedPage() : memory_(memfd_create("podium-page", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // Sealed: a worker that cut it short would end the judge at its next look.
  if (!memory_ || ftruncate(memory_.get(), device::page_bytes) != 0 ||
      fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(fmt::format("no page to share with the worker could be made: {}", std::strerror(errno)));
  void* at = mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED)
    throw Error(fmt::format("the shared page could not be mapped: {}", std::strerror(errno)));
  page_ = static_cast<device::Page*>(at);
}

SharedPage::~SharedPage() { munmap(page_, device::page_bytes); }

void SharedPage::open_gate(std::uint32_t ticket) {
  std::atomic_ref(page_->gate).store(ticket, std::memory_order_seq_cst);
  syscall(SYS_futex, &page_->gate, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Bench::Bench(device::Device& device, device::Arena& arena, Evaluator& evaluator, ClockProbe& clock,
             protocol::Channel channel, pid_t pid, int ordinal, const std::string& interface_hash)
    : device_(device),
      arena_(arena),
      evaluator_(evaluator),
      clock_(clock),
      channel_(std::move(channel)),
      group_(pid),
      verified_(!interface_hash.empty()) {
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
  const protocol::Packet packet = from_worker();
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

void Bench::begin(const problem::Instance& instance, std::int64_t scratch_limit, Draw warm_up) {
  instance_ = &instance;
  blocking_ = false;
  captured_.reset();
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
  const Placement placement = place(instance, static_cast<std::int64_t>(arena_.bytes()), warm_up.placement);
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
// copy into a sealed file that nobody can write.
void Bench::show_structure() {
  const Placement placement = place(*instance_, static_cast<std::int64_t>(arena_.bytes()), 0);
  protocol::Structures message{};
  std::vector<std::byte> host;
  for (std::size_t s = 0; s < instance_->structure.size(); ++s) {
    const auto& structure = instance_->structure[s];
    if (!structure.visible) continue;
    const Range at = placement.structure[s];
    if (at.bytes > 0) device_.copy(arena_.data() + at.offset, evaluator_.structure(s), at.bytes);
    auto& layout = message.structures[message.count++];
    layout.offset = at.offset;
    layout.host_offset = static_cast<std::int64_t>(host.size());
    layout.rank = static_cast<std::int32_t>(structure.extents.size());
    std::copy(structure.extents.begin(), structure.extents.end(), layout.extents);
    const std::vector<std::byte> numbers = structure.packed();
    host.insert(host.end(), numbers.begin(), numbers.end());
    host.resize((host.size() + tensor_alignment - 1) / tensor_alignment * tensor_alignment);
  }
  if (message.count == 0) return;
  device_.synchronise();
  host.resize(std::max<std::size_t>(host.size(), tensor_alignment));  // an empty file cannot be mapped
  message.host_bytes = static_cast<std::int64_t>(host.size());
  const Descriptor file = sealed_file(host);
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
void Bench::write(const Placement& placement, std::uint8_t poison) {
  for (const Range& guard : placement.guards)
    if (guard.bytes > 0) device_.set(arena_.data() + guard.offset, guard_byte, guard.bytes);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        at.bytes > 0 && instance_->tensors[t].role == problem::Role::output)
      device_.set(arena_.data() + at.offset, poison, at.bytes);
  // Last, so that what of them fits is in the caches of a call before which nothing is flushed.
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        verified_ && at.bytes > 0 && instance_->tensors[t].role != problem::Role::output)
      device_.copy(arena_.data() + at.offset, evaluator_.input(t), at.bytes);
}

// Every set written, caches flushed unless they are to stay, all of it done when it returns; how long it
// took, in microseconds, without the wait for a worker that is to stand still before the arena is written.
double Bench::prepare(const Call& call, Freeze* frozen) {
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
    write(call.sets[k], call.poison);
  }
  if (call.flushed) device_.flush_caches();
  clock_.before();
  device_.synchronise();
  return microseconds(clock::now() - began - waited);
}

void Bench::arm(std::span<const Placement> sets, protocol::Launch launch) {
  protocol::Arm message{};
  message.ticket = ticket_;
  message.calls = static_cast<std::int32_t>(sets.size());
  message.launch = launch;
  for (std::size_t k = 0; k < sets.size(); ++k)
    for (std::size_t t = 0; t < sets[k].tensors.size(); ++t)
      message.offsets[k][t] = sets[k].tensors[t].offset;
  tell(message);
}

bool Bench::armed_in_time(protocol::Launch launch) {
  channel_.look_out(awake);
  if (!channel_.wait(launch == protocol::Launch::capture ? captured_after : blocking_after)) return false;
  answer<protocol::Armed>();
  return true;
}

// Waits for *finished*, and for *armed* before it unless that has come; the judge's own interval ends when it
// hears.
Bench::Times Bench::hear(clock::time_point opened, bool armed, double fill) {
  // Beside a GPU, where cores are plenty, the page saves a wake-up; a worker that lies there is heard early,
  // with its outputs unwritten.
  constexpr int looks_between_messages = 1 << 12;
  const auto hear_armed = [&] {
    if (!armed) answer<protocol::Armed>();
    armed = true;
  };
  const std::atomic_ref done((*page_).done);
  for (int look = 1; device_.spins() && done.load(std::memory_order_acquire) != ticket_; ++look)
    if (look % looks_between_messages == 0 && channel_.wait(0)) {
      if (armed) break;
      hear_armed();
    }
  if (!device_.spins()) {
    hear_armed();
    channel_.wait(-1);
  }
  const double interval = microseconds(clock::now() - opened);
  hear_armed();
  return {answer<protocol::Finished>().microseconds, interval, fill};
}

Bench::Times Bench::timed_call(const Call& call, bool waits) {
  using protocol::Launch;
  if (!blocking_ && !waits && call.launch != Launch::whole) {
    ++ticket_;
    arm(call.sets, call.launch);
    if (armed_in_time(call.launch)) {
      // Only now: inputs that exist nowhere before, outputs poisoned, caches flushed. Where the arena is
      // memory that the worker's threads can watch, they stand still meanwhile.
      std::optional<Freeze> frozen;
      if (!device_.spins()) frozen.emplace(group_);
      const double fill = prepare(call, frozen ? &*frozen : nullptr);
      const auto opened = clock::now();
      page_.open_gate(ticket_);
      frozen.reset();
      return hear(opened, true, fill);
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
  const double fill = prepare(call, nullptr);
  page_.open_gate(ticket_);
  const auto opened = clock::now();
  arm(call.sets, call.launch);
  return hear(opened, false, fill);
}

protocol::Sampled Bench::sample(Draw draw, std::uint8_t poison, bool waits, protocol::Mode mode) {
  using protocol::Launch, protocol::Mode;
  // A graph holds the addresses that it was captured with.
  const bool replayed = mode == Mode::graph && captured_;
  const Placement placement =
      replayed ? *captured_ : place(*instance_, static_cast<std::int64_t>(arena_.bytes()), draw.placement);
  const Launch launch = replayed                   ? Launch::replay
                        : mode == Mode::graph      ? Launch::capture
                        : mode == Mode::end_to_end ? Launch::whole
                                                   : Launch::gated;
  if (mode == Mode::graph && (blocking_ || waits))
    throw WorkerFailure(Verdict::not_capturable, "it waits inside the call");
  protocol::Sampled result{};
  const Times times = timed_call({.sets = std::span(&placement, 1),
                                  .draws = std::span(&draw, 1),
                                  .poison = poison,
                                  .launch = launch,
                                  .flushed = mode != Mode::hot},
                                 waits);
  if (mode == Mode::graph) captured_ = placement;
  result.event_microseconds = times.event;
  result.judge_microseconds = times.judge;
  result.fill_microseconds = times.fill;
  const auto called = clock::now();
  if (verified_) take_outputs(placement);
  clock_.after();
  const auto clocks = clock_.read();
  result.clock_before = clocks.before;
  result.clock_after = clocks.after;
  result.blocking = blocking_;
  result.seed = draw.inputs;
  if (!verified_) return result;
  judge(result, placement, draw, poison);
  result.check_microseconds = microseconds(clock::now() - called);
  return result;
}

}  // namespace podium::judge
