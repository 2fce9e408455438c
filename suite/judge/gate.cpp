// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/gate.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <utility>

namespace podium::judge {
namespace {

using protocol::Verdict;

constexpr std::chrono::microseconds before_sleep{200};  // for *armed*; nothing is timed yet

constexpr std::chrono::microseconds to_gate{100};  // from *armed* until an honest worker sleeps at its gate

// The time that a worker reports of the call with this ticket. Among numbers without an order, such as NaN, a
// median is anything.
double checked_time(const protocol::Finished& finished, std::uint32_t ticket) {
  if (finished.ticket != ticket)
    throw WorkerFailure(
        Verdict::broke_protocol,
        fmt::format("it reported call {} as finished, expected call {}", finished.ticket, ticket));
  if (!std::isfinite(finished.microseconds) || finished.microseconds < 0)
    throw WorkerFailure(
        Verdict::broke_protocol,
        fmt::format("it reported a time of {} µs, expected a finite one from 0 on", finished.microseconds));
  return finished.microseconds;
}

}  // namespace

SharedPage::SharedPage() : memory_(memfd_create("podium-page", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // Sealed: a worker that cut it short would end the judge at its next look.
  if (!memory_ || ftruncate(memory_.get(), device::page_bytes) != 0 ||
      fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(fmt::format("creating the page shared with the worker failed: {}", std::strerror(errno)));
  void* at = mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED)
    throw Error(fmt::format("mapping the page shared with the worker failed: {}", std::strerror(errno)));
  page_ = static_cast<device::Page*>(at);
}

SharedPage::~SharedPage() { munmap(page_, device::page_bytes); }

void SharedPage::open_without_wake(std::uint32_t ticket) {
  std::atomic_ref(page_->gate).store(ticket, std::memory_order_seq_cst);
}

void SharedPage::cancel(std::uint32_t ticket) {
  std::atomic_ref(page_->cancelled).store(ticket, std::memory_order_seq_cst);
  open_gate(ticket);
}

void SharedPage::open_gate(std::uint32_t ticket) {
  open_without_wake(ticket);
  syscall(SYS_futex, &page_->gate, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void SharedPage::clear_mailbox() { std::memset(page_->mailbox, 0, sizeof page_->mailbox); }

Gate::Gate(WorkerLink& link, WorkerThreads& threads, BackgroundTask& background,
           std::shared_ptr<SharedPage> page)
    : link_(link), threads_(threads), background_(background), page_(std::move(page)) {
  link_.on_failed([this] {
    if (!ahead_) open();
  });
}

Gate::~Gate() { background_.cancel(); }

void Gate::arm(std::span<const Placement> sets, protocol::Launch launch, int repeats) {
  protocol::Arm message{};
  message.ticket = ticket_;
  message.calls = static_cast<std::int32_t>(sets.size());
  message.launch = launch;
  message.repeats = repeats;
  for (std::size_t k = 0; k < sets.size(); ++k)
    for (std::size_t t = 0; t < sets[k].tensors.size(); ++t)
      message.offsets[k][t] = sets[k].tensors[t].offset;
  link_.tell(message);
}

bool Gate::armed_in_time(int patience) {
  const auto packet = link_.receive(before_sleep, patience);
  if (packet) link_.answer_in<protocol::Armed>(*packet);
  return packet.has_value();
}

void Gate::let_through() {
  if (threads_.signalled())
    page_->open_without_wake(ticket_);
  else
    page_->open_gate(ticket_);
  threads_.resume();
}

Gate::Finish Gate::finish_in(const protocol::Packet& packet, std::uint32_t ticket) {
  const auto finished = link_.answer_in<protocol::Finished>(packet);
  return {checked_time(finished, ticket), finished.began};
}

double Gate::await_repeated(int calls, std::int32_t& made) {
  const auto finished = link_.answer<protocol::Finished>();
  if (finished.repeats < 1 || finished.repeats > calls)
    throw WorkerFailure(
        Verdict::broke_protocol,
        fmt::format("it reported {} repeated calls, expected 1 to {}", finished.repeats, calls));
  made = finished.repeats;
  return checked_time(finished, ticket_);
}

void Gate::arm_ahead(Ahead next) {
  ++ticket_;
  arm(std::span(&next.placement, 1), protocol::Launch::gated);
  ahead_ = std::move(next);
}

void Gate::arm_ahead_beside(Ahead next) {
  arm_ahead(std::move(next));
  background_.prepare([this] { await_armed_ahead(); });
}

void Gate::arm_next(const std::function<Ahead()>& next) {
  const auto began = clock::now();
  if (ahead_)
    background_.start();
  else
    arm_ahead(next());
  ahead_->microseconds = microseconds(clock::now() - began);
}

// On the background thread.
void Gate::await_armed_ahead() {
  link_.answer_in<protocol::Armed>(*link_.receive(before_sleep));
  ahead_->armed = true;
  threads_.suspend(to_gate);
  threads_.wait_until_still();
}

// Whether the background thread has seen the worker to its gate. If that failed, what it was told to arm for
// is no more.
bool Gate::finish_arming() {
  try {
    return background_.finish();
  } catch (...) {
    ahead_.reset();
    threads_.resume();
    throw;
  }
}

std::optional<Gate::Ahead> Gate::take_ahead(std::uint64_t seed) {
  if (!ahead_ || ahead_->seed != seed) return std::nullopt;
  const auto asked = clock::now();
  const bool still = finish_arming();
  ahead_->still = still;
  ahead_->microseconds += microseconds(clock::now() - asked);
  return std::exchange(ahead_, std::nullopt);
}

void Gate::cancel() {
  try {
    if (!ahead_) return;
    finish_arming();
    const bool armed = ahead_->armed;
    ahead_.reset();
    page_->cancel(ticket_);
    threads_.resume();
    if (!armed) link_.answer<protocol::Armed>();
    link_.answer<protocol::Finished>();
  } catch (const WorkerFailure&) {
  }
}

}  // namespace podium::judge
