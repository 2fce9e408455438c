// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/scheduler.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/stacks.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;  // beside local memory; FlashInfer's kernels take 100 KiB
constexpr std::chrono::seconds patience{5};     // with threads that look at memory which nobody changes

// Asked for at every meeting of threads: worth a place that needs no look-up.
[[gnu::tls_model("initial-exec")]] thread_local Launch* running_launch = nullptr;

void thread_body(void* argument) {
  auto& thread = *static_cast<GpuThread*>(argument);
  launch().kernel().entry(&thread, thread.parameters);
  leave(&thread);
}

}  // namespace

Launch& launch() { return *running_launch; }

Cluster::Cluster(u32 count) : blocks(count) {
  void* const at = mmap(nullptr, static_cast<std::size_t>(count) << rank_shift, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  shared = static_cast<u8*>(at);
}
Cluster::~Cluster() { munmap(shared, blocks.size() << rank_shift); }

Launch::Launch(const Kernel& kernel, const Shape& shape, u8* parameters, Asynchrony mode, u64 seed)
    : kernel_(kernel),
      shape_(shape),
      parameters_(parameters),
      mode_(mode),
      state_(seed),
      sites_(kernel.sites) {
  u64 threads = 1;
  for (int i = 0; i < 3; ++i) {
    total_ *= shape.grid[i] / shape.cluster[i];
    threads *= static_cast<u64>(shape.grid[i]) * shape.block[i];
  }
  number_count_ = static_cast<u32>(threads);
  first_number_ = podium::ptx::first_number(threads);
  told_.resize(threads);
}

Launch::~Launch() {
  for (const auto* const clusters : {&running_, &idle_})
    for (const auto& cluster : *clusters)
      for (const auto& thread : cluster->threads) give_stack_back(stack_size(), std::move(thread->fiber));
}

std::optional<std::string> Launch::run() {
  Launch* const outer = std::exchange(running_launch, this);
  auto progress = std::chrono::steady_clock::now();
  u64 seen = 0;
  int waits = 0;
  constexpr int timeouts = 50;  // of try_wait, before nobody is believed to arrive any more
  while (!fault_) try {
      if (running_.empty() && !admit()) break;
      const u64 looks = looks_;
      const bool ran = run_ready();
      if (fault_) break;
      retire();
      if (running_.empty()) continue;
      if (poll()) continue;
      if (mode_ == Asynchrony::random && ran && random() % 4 != 0) continue;
      const bool did = run_pending();
      const bool more = release_yielded();
      if (events_ != seen || did || (ran && looks_ == looks)) {
        seen = events_;
        waits = 0;
        progress = std::chrono::steady_clock::now();
        continue;
      }
      if (admit()) continue;
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
  running_launch = outer;
  return fault_;
}

std::size_t Launch::stack_size() const {
  constexpr std::size_t unit = 256 << 10;  // few sizes
  return (stack_bytes + kernel_.local_bytes + unit - 1) / unit * unit;
}

// Its size and its barrier's state, as cooperative_groups/details/driver_abi.h has them.
u64 Launch::workspace() {
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
  const u32 blocks = shape_.cluster[0] * shape_.cluster[1] * shape_.cluster[2];
  const std::size_t threads =
      static_cast<std::size_t>(shape_.block[0]) * shape_.block[1] * shape_.block[2] * blocks;
  if (next_ == total_ || (!running_.empty() && (running_.size() + 1) * threads > most_threads)) return false;
  if (idle_.empty()) idle_.push_back(std::make_unique<Cluster>(blocks));
  running_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  start(*running_.back(), next_++);
  happened();
  return true;
}

void Launch::start(Cluster& cluster, u64 index) {
  u32 count[3], at[3];
  for (int i = 0; i < 3; ++i) count[i] = shape_.grid[i] / shape_.cluster[i];
  at[0] = static_cast<u32>(index % count[0]);
  at[1] = static_cast<u32>(index / count[0] % count[1]);
  at[2] = static_cast<u32>(index / count[0] / count[1]);
  const u32 threads = shape_.block[0] * shape_.block[1] * shape_.block[2];
  cluster.alive = threads * static_cast<u32>(cluster.blocks.size());
  cluster.arrived = 0;
  cluster.phase = false;
  const u32 shared_end = kernel_.dynamic_begin + shape_.dynamic_bytes;
  const u32 first_block = static_cast<u32>(index * cluster.blocks.size());
  cluster.first_number = first_number_ + first_block * threads;
  cluster.number_count = cluster.alive;
  cluster.first_of_launch = first_number_;
  cluster.count_of_launch = number_count_;
  cluster.cells.resize(static_cast<u32>(cluster.blocks.size()), shared_end);
  cluster.met = {};
  cluster.ended.clear();
  cluster.mbarriers.clear();
  u32 number = 0;
  for (Block& block : cluster.blocks) {
    block.cluster = &cluster;
    block.rank = number++;
    block.alive = block.threads = threads;
    block.number = first_block + block.rank;
    block.first_number = first_number_ + block.number * threads;
    block.bars = {};
    tensor_memory_anew(block);
    const u32 in[3] = {block.rank % shape_.cluster[0], block.rank / shape_.cluster[0] % shape_.cluster[1],
                       block.rank / shape_.cluster[0] / shape_.cluster[1]};
    for (std::size_t i = 0; i < 3; ++i) {
      block.ids[i] = at[i] * shape_.cluster[i] + in[i];
      block.ids[3 + i] = at[i];
      block.ids[6 + i] = in[i];
      block.sizes[i] = shape_.grid[i];
      block.sizes[3 + i] = count[i];
      block.sizes[6 + i] = shape_.cluster[i];
    }
    std::memset(cluster.shared + (static_cast<std::size_t>(block.rank) << rank_shift) + shared_begin,
                unwritten_byte, shared_end - shared_begin);
    block.warps.resize((threads + 31) / 32);
    for (u32 i = 0; i < threads; ++i) {
      const std::size_t slot = static_cast<std::size_t>(block.rank) * threads + i;
      if (slot == cluster.threads.size()) {
        cluster.threads.push_back(std::make_unique<GpuThread>());
        cluster.threads.back()->fiber = take_stack(stack_size());
      }
      start(*cluster.threads[slot], block, i);
    }
  }
}

void Launch::start(GpuThread& thread, Block& block, u32 linear) {
  Warp& warp = block.warps[linear / 32];
  if (linear % 32 == 0) {
    warp.block = &block;
    warp.id = linear / 32;
    warp.alive = warp.ready = warp.yielded = warp.polling = 0;
    warp.meetings.clear();
  }
  auto fiber = std::move(thread.fiber);
  thread = GpuThread();
  thread.fiber = std::move(fiber);
  thread.warp = &warp;
  thread.block = &block;
  thread.number = block.first_number + linear;
  thread.shared = block.cluster->shared;
  thread.rank = block.rank << rank_shift;
  thread.shared_end = kernel_.dynamic_begin + shape_.dynamic_bytes;
  thread.dynamic_begin = kernel_.dynamic_begin;
  thread.blocks = static_cast<u32>(block.cluster->blocks.size());
  thread.lane = linear % 32;
  thread.linear = linear;
  thread.tid[0] = linear % shape_.block[0];
  thread.tid[1] = linear / shape_.block[0] % shape_.block[1];
  thread.tid[2] = linear / shape_.block[0] / shape_.block[1];
  thread.ctaid = block.ids.data();
  thread.nctaid = block.sizes.data();
  thread.ntid = shape_.block;
  thread.sites = sites_.data();
  thread.parameters = parameters_;
  constexpr std::size_t stagger = 320;  // bytes: five cache lines
  thread.fiber->start(&thread_body, &thread, linear * stagger % 4096 / 16 * 16);
  warp.threads[thread.lane] = &thread;
  warp.alive |= 1u << thread.lane;
  warp.ready |= 1u << thread.lane;
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
    thread.fiber->leave();
  else
    thread.fiber->pass_to(*take_ready(*thread.warp).fiber);
}

bool Launch::run_ready() {
  bool ran = false;
  // By index: a cluster may not be admitted meanwhile, but vectors are safer so.
  for (std::size_t c = 0; c < running_.size(); ++c)
    for (Block& block : running_[c]->blocks) {
      const std::size_t count = block.warps.size();
      const std::size_t first = mode_ == Asynchrony::random ? random() % count : 0;
      for (std::size_t w = 0; w < count; ++w) {
        Warp& warp = block.warps[(w + first) % count];
        while (warp.ready != 0) {
          take_ready(warp).fiber->resume();
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
  auto& queue = with[any ? random() % with.size() : 0]->pending;
  const auto chosen = queue.begin() + static_cast<std::ptrdiff_t>(any ? random() % queue.size() : 0);
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

u32 Launch::random() {  // a linear congruential generator's better half (Knuth's MMIX)
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<u32>(state_ >> 33);
}

void Launch::later(Cluster& cluster, std::function<void()> operation) {
  if (mode_ == Asynchrony::eager)
    operation();
  else
    cluster.pending.push_back(std::move(operation));
}

std::optional<std::array<u32, 3>> Launch::take_next() {
  if (next_ == total_) return std::nullopt;
  u64 index = next_++;
  std::array<u32, 3> first{};
  for (std::size_t i = 0; i < 3; ++i) {
    const u32 count = shape_.grid[i] / shape_.cluster[i];
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
  if (--thread.block->alive == 0) tensor_memory_without(thread);
  --thread.block->cluster->alive;
  launch().happened();
  meetings_without(thread);
  barriers_without(thread);
  cluster_without(*thread.block->cluster);
  for (;;) launch().rest(thread);
}

u64 grid_workspace(Thread*) { return launch().workspace(); }

u64 clock_of(Thread* t) {
  constexpr u64 step = 32;  // a clock that advances is all that is promised
  return of(t).ticks += step;
}

}  // namespace podium::ptx
