// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What comes before a gate opens: the worker is told and armed, its threads stand still, tensors are written.
#include <fmt/format.h>

#include <chrono>

#include "suite/judge/bench.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

// How long `run` may take to return while its gate is closed before its contestant counts as blocking. Far
// above what enqueueing takes, far below what a person waits.
constexpr int blocking_after = 400;   // milliseconds
constexpr int captured_after = 5000;  // milliseconds; building a graph of thousands of nodes takes its time

constexpr std::chrono::microseconds before_sleep{200};  // for *armed*; nothing is timed yet

constexpr std::chrono::microseconds to_gate{100};  // from *armed* until an honest worker sleeps at its gate

constexpr int first_few = 3;   // samples of an instance: a warm-up and both calls of a test
constexpr int most_moved = 2;  // samples of an instance in which threads seem not to stand still

}  // namespace

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

// For a sample that comes later, if at all.
void Bench::arm_ahead(Draw draw) {
  const Placement placement = place(*instance_, room(), draw.placement);
  ++ticket_;
  arm(std::span(&placement, 1), protocol::Launch::gated);
  ahead_ = {placement, draw.placement};
}

// On the background thread: what the worker was told to arm for, and stands still for.
void Bench::arm_in_background() {
  answer_in<protocol::Armed>(*from_worker(before_sleep));
  ahead_->armed = true;
  suspend(to_gate);
  stop();
}

// Whether the background task has seen the worker to its gate. If that failed, what it was told to arm for is
// no more.
bool Bench::finish_arming() {
  try {
    return background_.finish();
  } catch (...) {
    ahead_.reset();
    before_gate_.reset();
    throw;
  }
}

// What the worker was told to arm for does not come: it passes its gate, and nobody is called. Where it fails
// at that, no sample is concerned, and whoever asks it next will hear.
void Bench::cancel() {
  try {
    if (!ahead_) return;
    finish_arming();
    const bool armed = ahead_->armed;
    ahead_.reset();
    page_.cancel(ticket_);
    before_gate_.reset();
    if (!armed) answer<protocol::Armed>();
    answer<protocol::Finished>();
  } catch (const WorkerFailure&) {
  }
}

bool Bench::armed_in_time(protocol::Launch launch) {
  // On a CPU a worker arms before its contestant is called: nothing honest keeps it from that, and a gate
  // that opened first would show the inputs to threads that watch for them. Podium limits the wait.
  const int patience = launch == protocol::Launch::capture ? captured_after : blocking_after;
  const auto packet = from_worker(before_sleep, device_.spins() ? patience : -1);
  if (packet) answer_in<protocol::Armed>(*packet);
  return packet.has_value();
}

std::size_t Bench::bytes_written(const Placement& placement) const {
  std::size_t bytes = 0;
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (instance_->tensors[t].role != problem::Role::input)
      bytes += static_cast<std::size_t>(placement.tensors[t].bytes);
  return bytes;
}

// Every set written, caches flushed unless they are to stay, all of it done when it returns. A worker that is
// to stand still does so before the arena is written, and its processor is kept awake until it goes on; what
// that takes is no part of `times.fill`.
void Bench::prepare(const Call& call, Times& times) {
  const auto began = clock::now();
  clock::duration spent{};
  const auto beside = [&](const auto& work) {
    if (!before_gate_) return;
    const auto filled = clock::now();
    work();
    spent += clock::now() - filled;
  };
  for (std::size_t k = 0; k < call.sets.size(); ++k) {
    if (verified_) evaluator_.fill(call.draws[k].inputs);
    if (k == 0 && !call.seen_to) beside([&] { stop(); });
    poison(call.sets[k], call.poison);
    if (k == 0) beside([&] { or_broken([&] { before_gate_->begin_watch(); }); });
    write_inputs(call.sets[k]);
  }
  if (call.flushed) device_.flush_caches();
  if (call.steady) device_.leave_unwritten(bytes_written(call.sets.front()));
  beside([&] { before_gate_->spin_on(group_.processor()); });  // a flush has work for every processor
  if (call.clocked) clock_.before();
  device_.synchronise();
  beside([&] { end_watch(); });
  times.stop = microseconds(spent);
  times.fill = microseconds(clock::now() - began - spent);
}

// A worker whose threads sleep is left to sleep: that takes less than a stop, and far less to go on from. Who
// has run in that sleep is told to stop from then on.
void Bench::suspend(std::chrono::microseconds patience) {
  before_gate_.emplace(group_, spinner_, needs_signal_ ? std::nullopt : std::optional(patience));
}

// The judge works and looks beside the call where there is no process but the worker's own, and room for
// both.
void Bench::stop() {
  or_broken([&] { before_gate_->wait(); });
  polls_briefly_ = group_.alone() && spinner_.can_poll_beside(group_.threads(), group_.processor());
}

// Now and then a thread that has stopped is counted late; a watcher runs in every sample. But one that runs
// in both calls of a test would be right there, so of the first few two are too many.
void Bench::end_watch() {
  before_gate_->stop_spinning();
  const bool still = before_gate_->stood_still();
  before_gate_->wait_until_off();
  needs_signal_ = needs_signal_ || (!still && !before_gate_->signalled());
  ++stopped_;
  if (!still && ++moved_ > (stopped_ <= first_few ? 1 : most_moved))
    throw WorkerFailure(
        Verdict::broke_protocol,
        fmt::format("its threads ran while they were to stand still and its inputs were written, "
                    "in {} samples of an instance",
                    moved_));
}

// Into the arena, around what the call reads.
void Bench::poison(const Placement& placement, std::uint8_t poison) {
  for (const auto& [at, name, before] : placement.guards)
    if (at.bytes > 0) device_.set(arena_.data() + at.offset, guard_byte, at.bytes);
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        at.bytes > 0 && instance_->tensors[t].role == problem::Role::output)
      device_.set(arena_.data() + at.offset, poison, at.bytes);
}

// From the judge's own memory. Last, so that what of them fits is in the caches of a call before which
// nothing is flushed.
void Bench::write_inputs(const Placement& placement) {
  for (std::size_t t = 0; t < placement.tensors.size(); ++t)
    if (const Range at = placement.tensors[t];
        verified_ && at.bytes > 0 && instance_->tensors[t].role != problem::Role::output)
      device_.copy(arena_.data() + at.offset, evaluator_.input(t), at.bytes);
}

}  // namespace podium::judge
