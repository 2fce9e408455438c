// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Clusters, blocks and threads as they begin: nothing is left of who had their memory before.
#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/stacks.hpp"
#include "emulators/nvidia/device/team.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;  // beside local memory; FlashInfer's kernels take 100 KiB

void thread_body(void* argument) {
  auto& thread = *static_cast<GpuThread*>(argument);
  launch().kernel().entry(&thread, thread.parameters);
  leave(&thread);
}

// Where the numbers of a launch's cluster begin: the first one's at the seed, the others' apart from it and
// from one another (Steele, Lea and Flood 2014, SplitMix).
u64 state_of(u64 seed, u64 cluster) {
  if (cluster == 0) return seed;
  u64 z = seed + cluster * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Ones are NaN in every format. Of what only asks whether a word is zero they are one answer: where order is
// random every other block has the other one.
u8 unwritten_byte(Asynchrony mode, u64 seed, u32 block) {
  return mode == Asynchrony::random && (block + seed) % 2 == 0 ? 0 : 0xff;
}

}  // namespace

Cluster::Cluster(u32 count) : blocks(count) {
  void* const at = mmap(nullptr, static_cast<std::size_t>(count) << rank_shift, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  shared = static_cast<u8*>(at);
}
Cluster::~Cluster() { munmap(shared, blocks.size() << rank_shift); }

u32 Cluster::random() {  // a linear congruential generator's better half (Knuth's MMIX)
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<u32>(random_state >> 33);
}

std::size_t Launch::stack_size() const {
  constexpr std::size_t unit = 256 << 10;  // few sizes
  return (stack_bytes + kernel_.local_bytes + unit - 1) / unit * unit;
}

void Launch::start(Cluster& cluster, u64 index) {
  u32 count[3], at[3];
  for (u32 i = 0; i < 3; ++i) count[i] = shape_.clusters_along(i);
  at[0] = static_cast<u32>(index % count[0]);
  at[1] = static_cast<u32>(index / count[0] % count[1]);
  at[2] = static_cast<u32>(index / count[0] / count[1]);
  const u32 threads = shape_.block_threads();
  cluster.alive = threads * static_cast<u32>(cluster.blocks.size());
  cluster.arrived = 0;
  cluster.phase = false;
  cluster.number = index;
  cluster.random_state = state_of(seed_, index);
  cluster.sync_words.clear();
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
  cluster.copies.clear();
  cluster.products.clear();
  u32 number = 0;
  for (Block& block : cluster.blocks) {
    block.cluster = &cluster;
    block.rank = number++;
    block.alive = block.threads = threads;
    block.number = first_block + block.rank;
    block.first_number = first_number_ + block.number * threads;
    block.bars = {};
    block.visits.clear();
    block.ended.clear();
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
    block.unwritten = unwritten_byte(mode_, seed_, block.number);
    u8* const shared = cluster.shared + (static_cast<std::size_t>(block.rank) << rank_shift);
    std::memset(shared, 0, shared_begin);  // the system's
    std::memset(shared + shared_begin, block.unwritten, shared_end - shared_begin);
    block.warps.resize((threads + 31) / 32);
    for (u32 i = 0; i < threads; ++i) {
      const std::size_t slot = static_cast<std::size_t>(block.rank) * threads + i;
      if (slot == cluster.threads.size()) {
        auto thread = std::make_unique<GpuThread>();
        thread->fiber = take_stack(stack_size());  // none without one, where memory ends
        cluster.threads.push_back(std::move(thread));
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
    warp.at_bars = {};
    warp.barriers = {};
  }
  auto fiber = std::move(thread.fiber);
  std::destroy_at(&thread);
  std::construct_at(&thread);
  thread.fiber = std::move(fiber);
  thread.warp = &warp;
  thread.block = &block;
  thread.number = block.first_number + linear;
  thread.shared = block.cluster->shared;
  thread.rank = block.rank << rank_shift;
  thread.shared_end = kernel_.dynamic_begin + shape_.dynamic_bytes;
  thread.dynamic_begin = kernel_.dynamic_begin;
  thread.blocks = static_cast<u32>(block.cluster->blocks.size());
  thread.clustered = shape_.clustered;
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
  thread.parameter_bytes = kernel_.parameter_bytes;
  thread.footprint = footprint_;
  thread.before_wait = prerequisite_ != nullptr;
  constexpr std::size_t stagger = 320;  // bytes: five cache lines
  thread.fiber->start(&thread_body, &thread, linear * stagger % 4096 / 16 * 16);
  warp.threads[thread.lane] = &thread;
  warp.alive |= 1u << thread.lane;
  warp.ready |= 1u << thread.lane;
}

}  // namespace podium::ptx
