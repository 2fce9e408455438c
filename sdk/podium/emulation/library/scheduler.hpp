// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs the threads of one block on one OS thread: who runs, who waits for what, who can go on.
#pragma once
#include <podium/emulation/language.hpp>
#include <podium/emulation/library/fiber.hpp>
#include <podium/emulation/library/ready_queue.hpp>
#include <podium/emulation/library/shared_memory.hpp>
#include <podium/emulation/library/warp.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace podium::host {

// One podium::launch, shared by the OS threads that take its blocks.
struct Launch {
  void (*call)(const void* arguments);  // runs the kernel as the thread that threadIdx says
  const void* arguments;
  dim3 grid, block;
  std::size_t shared_bytes;
  unsigned warp_lanes;
  bool reverse;
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<bool> stop{false};  // a block has failed: others may be waiting for it in vain
};

class Scheduler;
extern __thread Scheduler* scheduler;  // of this OS thread; null outside kernels

class Scheduler {
 public:
  // Runs a block to its end; what went wrong in it, if anything did.
  std::optional<std::string> run(const Launch& launch, std::uint64_t block);

  // Called by the thread that is running.
  unsigned barrier(Place at, bool vote);  // how many threads voted true
  std::uint64_t exchange(Place at, std::uint64_t mask, Exchange kind, std::uint64_t value, unsigned source);
  void yield();
  std::byte* dynamic_shared() { return memory_.dynamic(); }
  unsigned lane() const { return now_ % launch_->warp_lanes; }

  // The block ends: note() what is wrong, then leave(). The stacks are abandoned and nothing on them is
  // destroyed, so the caller of leave() holds no memory.
  void note(const std::string& what) {
    error_ = "block " + text(blockIdx) + ", thread " + text(threadIdx) + ": " + what;
  }
  [[noreturn]] void leave() {
    broken_ = true;
    go(main_);
    __builtin_unreachable();
  }

 private:
  static constexpr unsigned nobody = ~0u;
  static constexpr std::size_t stack_bytes = 128 << 10;  // room for a kernel that prints or throws

  static void body(void* self);
  void begin(unsigned thread) {
    now_ = thread;
    threads_[thread].state = Thread::State::running;
    threadIdx = threads_[thread].id;
  }
  unsigned ordered(unsigned n) const { return launch_->reverse ? count_ - 1 - n : n; }
  Warp& warp() { return warps_[now_ / launch_->warp_lanes]; }
  Thread* lanes() { return &threads_[now_ - lane()]; }
  Fiber& idle();
  void go(Fiber& to) { std::exchange(on_, &to)->switch_to(to); }
  void begin_fresh() { begin(ordered(started_++)); }
  void resume(unsigned thread);
  void wait();
  void returned();
  bool release_barrier(unsigned except);
  bool release_lanes(std::uint64_t mask, unsigned except);
  [[noreturn]] void deadlock(const char* what);
  void reset(const Launch& launch, std::uint64_t block);

  const Launch* launch_ = nullptr;
  BlockMemory memory_;
  Fiber main_, *on_ = &main_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  dim3 shape_{0, 0, 0};
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  ReadyQueue ready_;
  // Threads of the block; those begun, not yet returned (begun or not), at the barrier; of these, voting
  // true.
  unsigned count_ = 0, started_ = 0, alive_ = 0, at_barrier_ = 0, votes_ = 0, result_ = 0;
  unsigned now_ = 0, lonely_yields_ = 0;
  bool broken_ = false;
  std::string error_;
};

}  // namespace podium::host
