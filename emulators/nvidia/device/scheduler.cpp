// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/scheduler.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/stacks.hpp"
#include "emulators/nvidia/device/team.hpp"

namespace podium::ptx {
namespace {

constexpr std::chrono::seconds patience{5};  // with threads that look at memory which nobody changes
constexpr std::chrono::microseconds between_looks{50};  // at memory that another process may change

// Asked for at every meeting of threads: worth a place that needs no look-up.
[[gnu::tls_model("initial-exec")]] thread_local Launch* running_launch = nullptr;

}  // namespace

Launch& launch() { return *running_launch; }

Launch::Launch(const Kernel& kernel, const Shape& shape, u8* parameters, Asynchrony mode, u64 seed,
               const Touched* prerequisite, Footprint* footprint, Team* team, u32 worker)
    : kernel_(kernel),
      shape_(shape),
      parameters_(parameters),
      mode_(mode),
      seed_(seed),
      prerequisite_(prerequisite),
      footprint_(team ? &team->footprint(worker) : footprint),
      team_(team),
      worker_(worker),
      sites_(kernel.sites),
      total_(shape.clusters()) {
  const u64 threads = shape.threads();
  number_count_ = static_cast<u32>(threads);
  first_number_ = team ? team->first_number() : podium::ptx::first_number(threads);
  if (!team) own_told_.resize(threads);
  told_ = team ? team->told() : own_told_.data();
  if (prerequisite) waited_.resize(threads);
}

Launch::~Launch() {
  for (const auto* const clusters : {&running_, &idle_})
    for (const auto& cluster : *clusters)
      for (const auto& thread : cluster->threads) give_stack_back(stack_size(), std::move(thread->fiber));
}

std::optional<std::string> Launch::run() {
  struct Running {
    Launch* outer;
    ~Running() { running_launch = outer; }
  } const running{std::exchange(running_launch, this)};
  auto progress = std::chrono::steady_clock::now();
  u64 seen = 0;
  int waits = 0;
  constexpr int timeouts = 50;  // of try_wait, before nobody is believed to arrive any more
  while (!fault_ && !(team_ && team_->abandoned())) try {
      if (team_ && worker_ == 0) team_->call_helpers();
      if (running_.empty() && !admit()) break;
      const u64 looks = looks_;
      const bool ran = run_ready();
      if (fault_) break;
      retire();
      if (running_.empty()) continue;
      if (poll()) continue;
      if (mode_ == Asynchrony::random && ran && running_.front()->random() % 4 != 0) continue;
      const bool did = run_pending();
      const bool more = release_yielded();
      if (events_ != seen || did || (ran && looks_ == looks)) {
        seen = events_;
        waits = 0;
        progress = std::chrono::steady_clock::now();
        continue;
      }
      if (admit()) continue;
      if (more && others_may_write()) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      if (more) {  // all that runs looks at memory
        if (std::chrono::steady_clock::now() - progress < patience) continue;
        fault_ = deadlock();
        break;
      }
      if (++waits > timeouts) {
        fault_ = deadlock();
        break;
      }
      time_out();
    } catch (const emulation::Fault&) {  // of an asynchronous operation, and noted
    }
  return fault_;
}

// Its size and its barrier's state, as cooperative_groups/details/driver_abi.h has them.
u64 Launch::workspace() {
  if (!cooperative_) return 0;
  needs_one_thread();
  static u32* const words = [] {
    auto* const two = new u32[2]{8, 0};
    device_memory().add(two, 8, "the workspace of a grid");
    return two;
  }();
  if (!std::exchange(has_workspace_, true)) words[1] = 0;
  return reinterpret_cast<u64>(words);
}

bool Launch::admit() {
  // So many that a grid barrier or a look-back finds all the blocks that a device would hold at a time.
  constexpr std::size_t most_threads = 1 << 18;
  const std::size_t threads = shape_.cluster_threads();
  if (!running_.empty() && (running_.size() + 1) * threads > most_threads) return false;
  if (team_ && !running_.empty()) {  // it waits for others, if there are any behind it
    if (running_.front()->number + 1 == total_) return false;
    abandon();
  }
  const auto index = take_index();
  if (!index) return false;
  if (idle_.empty()) idle_.push_back(std::make_unique<Cluster>(shape_.cluster_blocks()));
  running_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  start(*running_.back(), *index);
  happened();
  return true;
}

std::optional<u64> Launch::take_index() {
  if (team_) return team_->take();
  return next_ == total_ ? std::nullopt : std::optional(next_++);
}

GpuThread& Launch::take_ready(Warp& warp) {
  const u32 lane = static_cast<u32>(__builtin_ctz(warp.ready));
  warp.ready &= warp.ready - 1;
  current_ = warp.threads[lane];
  return *current_;
}

// As run_ready() would go on, which is asked only when the warp has no lane left.
void Launch::rest(GpuThread& thread) {
  if (thread.warp->ready == 0 || fault_)
    thread.fiber->switch_to(scheduler_);
  else
    thread.fiber->switch_to(*take_ready(*thread.warp).fiber);
}

bool Launch::run_ready() {
  bool ran = false;
  // By index: a cluster may not be admitted meanwhile, but vectors are safer so.
  for (std::size_t c = 0; c < running_.size(); ++c)
    for (Block& block : running_[c]->blocks) {
      const std::size_t count = block.warps.size();
      const std::size_t first = mode_ == Asynchrony::random ? running_[c]->random() % count : 0;
      for (std::size_t w = 0; w < count; ++w) {
        Warp& warp = block.warps[(w + first) % count];
        while (warp.ready != 0) {
          scheduler_.switch_to(*take_ready(warp).fiber);
          current_ = nullptr;
          if (fault_) return true;
          ran = true;
        }
      }
    }
  return ran;
}

// Threads in mbarrier.try_wait whose phase has completed.
bool Launch::poll() {
  bool found = false;
  for (const auto& cluster : running_)
    for (Block& block : cluster->blocks)
      for (Warp& warp : block.warps)
        each_lane(warp.polling, [&](u32 lane) {
          if (!mbarrier_ready(*warp.threads[lane])) return;
          warp.polling &= ~(1u << lane);
          make_ready(*warp.threads[lane]);
          found = true;
        });
  return found;
}

bool Launch::run_pending() {
  std::vector<Cluster*> with;
  for (const auto& cluster : running_)
    if (!cluster->pending.empty()) with.push_back(cluster.get());
  if (with.empty()) return false;
  const bool any = mode_ == Asynchrony::random;
  Cluster& cluster = *with[any ? running_.front()->random() % with.size() : 0];
  auto& queue = cluster.pending;
  const auto chosen = queue.begin() + static_cast<std::ptrdiff_t>(any ? cluster.random() % queue.size() : 0);
  const auto operation = std::move(*chosen);
  queue.erase(chosen);
  operation();
  return true;
}

bool Launch::release_yielded() {
  bool any = false;
  for (const auto& cluster : running_)
    for (Block& block : cluster->blocks)
      for (Warp& warp : block.warps) {
        any |= warp.yielded != 0;
        warp.ready |= std::exchange(warp.yielded, 0);
      }
  return any;
}

// try_wait may return before its phase completes: a thread that looks elsewhere meanwhile gets the chance.
void Launch::time_out() {
  for (const auto& cluster : running_)
    for (Block& block : cluster->blocks)
      for (Warp& warp : block.warps) {
        each_lane(warp.polling, [&](u32 lane) { warp.threads[lane]->timed_out = true; });
        warp.ready |= std::exchange(warp.polling, 0);
      }
}

void Launch::retire() {
  for (std::size_t c = 0; c < running_.size();) {
    if (running_[c]->alive != 0) {
      ++c;
      continue;
    }
    while (!running_[c]->pending.empty()) {
      const auto operation = std::move(running_[c]->pending.front());
      running_[c]->pending.pop_front();
      operation();
    }
    idle_.push_back(std::move(running_[c]));
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(c));
    happened();
  }
}

void Launch::later(Cluster& cluster, std::function<void()> operation) {
  if (mode_ == Asynchrony::eager)
    operation();
  else
    cluster.pending.push_back(std::move(operation));
}

std::optional<std::array<u32, 3>> Launch::take_next() {
  needs_one_thread();
  if (next_ == total_) return std::nullopt;
  u64 index = next_++;
  std::array<u32, 3> first{};
  for (u32 i = 0; i < 3; ++i) {
    const u32 count = shape_.clusters_along(i);
    first[i] = static_cast<u32>(index % count) * shape_.cluster[i];
    index /= count;
  }
  return first;
}

void wait(GpuThread& thread, Waiting what, u32 at, u32 value, int line) {
  thread.waiting = what;
  thread.waits_at = at;
  thread.waits_for = value;
  thread.line = line;
  launch().rest(thread);
}

void make_ready(GpuThread& thread) {
  thread.waiting = Waiting::nothing;
  thread.warp->ready |= 1u << thread.lane;
}

void yield(Thread* t, int line) {
  GpuThread& thread = of(t);
  thread.line = line;
  launch().looked();
  thread.warp->yielded |= 1u << thread.lane;
  launch().rest(thread);
}

void leave(Thread* t) {
  GpuThread& thread = of(t);
  finish_copies(thread);
  finish_bulk(thread);
  thread.block->cluster->ended.add(
      thread.clock.known, {thread.block->number, thread.linear, thread.block->threads, thread.clock.now});
  thread.warp->alive &= ~(1u << thread.lane);
  if (!thread.block->visits.empty()) thread.block->ended.add(thread.clock.known);
  if (--thread.block->alive == 0) {
    tensor_memory_without(thread);
    see_visitors_gone(*thread.block);
  }
  Cluster& cluster = *thread.block->cluster;
  --cluster.alive;
  if (thread.cluster_arrived && thread.cluster_phase == cluster.phase) --cluster.arrived;
  launch().happened();
  meetings_without(thread);
  barriers_without(thread);
  cluster_without(cluster);
  for (;;) launch().rest(thread);
}

u64 grid_workspace(Thread*) { return launch().workspace(); }

// Blocks go round the multiprocessors. So one block that fills a multiprocessor shares it with no other block
// of its cluster or of a grid that all runs at once, and what a kernel keeps for a multiprocessor is its own.
u32 multiprocessor_of(Thread* t) { return of(t).block->number % multiprocessors; }

u64 clock_of(Thread* t) {
  constexpr u64 step = 32;  // a clock that advances is all that is promised
  return of(t).ticks += step;
}

}  // namespace podium::ptx
