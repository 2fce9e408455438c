// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <podium/emulation/library/scheduler.hpp>

#include <thread>

namespace podium::host {

__thread Scheduler* scheduler = nullptr;

std::optional<std::string> Scheduler::run(const Launch& launch, std::uint64_t block) {
  scheduler = this;
  reset(launch, block);
  begin_fresh();
  go(idle());
  if (!broken_ && !memory_.intact()) note("wrote beyond the block's dynamic shared memory");
  if (broken_) {
    idle_.clear();
    for (auto& fiber : fibers_) {
      fiber->start(&body, this);
      idle_.push_back(fiber.get());
    }
    broken_ = false;
  }
  scheduler = nullptr;
  if (error_.empty()) return std::nullopt;
  return std::exchange(error_, {});
}

void Scheduler::reset(const Launch& launch, std::uint64_t block) {
  launch_ = &launch;
  gridDim = launch.grid;
  blockDim = launch.block;
  blockIdx = position(block, launch.grid);
  count_ = alive_ = static_cast<unsigned>(volume(launch.block));
  started_ = at_barrier_ = votes_ = 0;
  if (shape_ != launch.block) {
    shape_ = launch.block;
    threads_.resize(count_);
    for (unsigned i = 0; i < count_; ++i) threads_[i].id = position(i, shape_);
  }
  for (Thread& thread : threads_) thread.state = Thread::State::running;
  const unsigned warp_lanes = launch.warp_lanes;
  warps_.assign((count_ + warp_lanes - 1) / warp_lanes, Warp{});
  if (const unsigned rest = count_ % warp_lanes)
    warps_.back().returned = ~std::uint64_t{0} << rest;  // never were
  ready_.clear();
  memory_.poison(launch.shared_bytes);
}

Fiber& Scheduler::idle() {
  if (idle_.empty()) {
    idle_.push_back(fibers_.emplace_back(std::make_unique<Fiber>(stack_bytes)).get());
    idle_.back()->start(&body, this);
  }
  Fiber& fiber = *idle_.back();
  idle_.pop_back();
  return fiber;
}

// Every fiber: one thread after another, as long as there are fresh ones to begin.
void Scheduler::body(void* argument) {
  Scheduler& self = *static_cast<Scheduler*>(argument);
  try {
    for (;;) {
      self.launch_->call(self.launch_->arguments);
      self.returned();
    }
  } catch (const std::exception& error) {
    self.note(error.what());
  } catch (...) {
    self.note("an exception that is not a std::exception");
  }
  self.leave();  // not inside the handler: what is being caught belongs to the OS thread
}

void Scheduler::resume(unsigned thread) {
  begin(thread);
  go(*threads_[thread].fiber);
}

// Leaves the running thread, whose state says what it waits for, until it is resumed.
void Scheduler::wait() {
  threads_[now_].fiber = on_;
  if (!ready_.empty())
    resume(ready_.pop());
  else if (started_ < count_)
    begin_fresh(), go(idle());
  else
    deadlock("deadlock: every remaining thread waits for another");
}

// The kernel has returned for the running thread. Comes back when a fresh thread has begun on this fiber.
void Scheduler::returned() {
  threads_[now_].state = Thread::State::returned;
  Warp& mine = warp();
  mine.returned |= std::uint64_t{1} << lane();
  if (--alive_ == 0) {
    idle_.push_back(on_);
    return go(main_);
  }
  if (at_barrier_ != 0) release_barrier(nobody);
  for (unsigned l = 0; l < launch_->warp_lanes && mine.waiting >> l != 0; ++l)
    if (mine.waiting >> l & 1) release_lanes(lanes()[l].mask, nobody);
  if (!ready_.empty()) {
    idle_.push_back(on_);
    resume(ready_.pop());
  } else if (started_ < count_) {
    begin_fresh();
  } else {
    deadlock("deadlock: every remaining thread waits for another");
  }
}

// A point where others may run: all atomics are. Spinning threads so let those run that they wait for.
void Scheduler::yield() {
  if (launch_->stop.load(std::memory_order_relaxed)) leave();
  if (ready_.empty() && started_ == count_) {
    constexpr unsigned often =
        64;  // maybe it waits for a block on another OS thread; asking each time would cost
    if (++lonely_yields_ % often == 0) std::this_thread::yield();
    return;
  }
  threads_[now_].fiber = on_;
  ready_.push(now_);
  if (started_ < count_)  // first, since who spins may wait for one of them
    begin_fresh(), go(idle());
  else
    resume(ready_.pop());
}

unsigned Scheduler::barrier(Place at, bool vote) {
  threads_[now_].at = at;
  threads_[now_].state = Thread::State::at_barrier;
  votes_ += vote;
  ++at_barrier_;
  if (!release_barrier(now_)) wait();  // the last to arrive goes straight on
  return result_;
}

// If all threads left are at the barrier, they are ready, but `except`, which is running.
bool Scheduler::release_barrier(unsigned except) {
  if (at_barrier_ != alive_) return false;
  const Thread* first = nullptr;
  for (unsigned n = 0; n < count_; ++n) {
    const unsigned thread = ordered(n);
    Thread& t = threads_[thread];
    if (t.state != Thread::State::at_barrier) continue;
    if (!first) first = &t;
    if (!same(t.at, first->at)) deadlock("threads of one block wait in different barriers");
    if (thread != except) ready_.push(thread);
  }
  for (Thread& t : threads_)
    if (t.state == Thread::State::at_barrier) t.state = Thread::State::running;
  result_ = std::exchange(votes_, 0);
  at_barrier_ = 0;
  return true;
}

std::uint64_t Scheduler::exchange(Place at, std::uint64_t mask, Exchange kind, std::uint64_t value,
                                  unsigned source) {
  Thread& t = threads_[now_];
  t.at = at;
  t.mask = mask;
  t.kind = kind;
  t.in = value;
  t.source = source;
  t.state = Thread::State::in_warp;
  if (!(mask >> lane() & 1)) deadlock("a lane calls a warp operation whose mask lacks it");
  warp().waiting |= std::uint64_t{1} << lane();
  if (!release_lanes(mask, now_)) wait();
  return t.out;
}

// If all lanes of `mask` that are left are in a warp operation, they have its results and are ready, but
// `except`.
bool Scheduler::release_lanes(std::uint64_t mask, unsigned except) {
  Warp& w = warp();
  const std::uint64_t group = mask & ~w.returned;
  if ((w.waiting & group) != group) return false;
  if (!combine(lanes(), group)) deadlock("lanes of one warp meet in different warp operations");
  w.waiting &= ~group;
  const unsigned first = now_ - lane(), warp_lanes = launch_->warp_lanes;
  for (unsigned n = 0; n < warp_lanes; ++n) {
    const unsigned l = launch_->reverse ? warp_lanes - 1 - n : n;
    if (!(group >> l & 1)) continue;
    threads_[first + l].state = Thread::State::running;
    if (first + l != except) ready_.push(first + l);
  }
  return true;
}

void Scheduler::deadlock(const char* what) {
  note(what + waiting(threads_, started_));
  leave();
}

}  // namespace podium::host
