// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which accesses to memory are ordered: PTX ISA 8 (memory consistency model). A thread learns what others did
// from barriers, and from words of memory through which they synchronise: what the writer's fence, or the
// writing instruction itself, released, the reader gets with its own.
#pragma once
#include <array>
#include <unordered_map>

#include "emulators/nvidia/device/knowledge.hpp"
#include "emulators/nvidia/device/memory.hpp"

namespace podium::ptx {

struct GpuThread;

inline constexpr u32 global_bit = 1u << 30;

// What a thread knows, and what it has made known to others by fences, for each scope that they may have.
struct Clock {
  // What later writes make known: what barriers brought of others' fences, and all up to the own last one.
  struct Fenced {
    Known of_others, own;
    u32 epoch = 0;
  };
  u32 now = 1;
  bool more = false;  // than `known`: some of what stands below
  Known known;
  const u32* of_block = nullptr;  // in `known`, of the own block
  std::array<Fenced, scopes> fenced;
  std::array<Known, scopes> pending;  // read, and learnt at the next fence of that scope
  // What a fence.proxy.async lies behind: bulk copies may read it. Of global memory, the blocks' numbers have
  // one more bit.
  Known proxied;
};

// What a thread says by an arrival that happens later: what it does until then, nobody knows of.
struct Arrival {
  explicit Arrival(GpuThread&);
  Clock clock;
  Moment own;
};

// Where threads meet: a barrier, or an mbarrier's phase.
class Rendezvous {
 public:
  void arrive(GpuThread&);
  void arrive(const Arrival& arrival) { arrive(arrival.clock, arrival.own); }
  // All that came is handed out from now on, and what arrives next is another phase's.
  // Threads that have ended wait for nobody, and count as if they had arrived.
  // `also`: something else that did.
  void complete(const Known& of_ended = nullptr, const Moment* also = nullptr);
  // `replaces`: the thread arrived in this phase and learnt nothing since, so it knows nothing else.
  void leave(GpuThread&, bool replaces) const;

 private:
  void arrive(const Clock&, const Moment& own);

  bool more_ = false, known_more_ = false;  // as Clock has it: of who arrived, and of what is handed out
  Gathering all_, proxied_;
  std::array<Gathering, scopes> fenced_, pending_;
  Known known_, known_proxied_;
  std::array<Known, scopes> known_fenced_, known_pending_;
};

// A word of memory through which threads synchronise.
struct SyncWord {
  // For each scope, by the block's or cluster's number to whose threads it speaks. What one leaves, another
  // one's atomic operations pass on.
  std::array<std::unordered_map<u64, Gathering>, scopes> fenced;
  Gathering proxied;
};
using SyncWords = std::unordered_map<const u8*, SyncWord>;

// The thread has learnt of that, and of nothing else.
void learn(GpuThread&, const Moment&);

}  // namespace podium::ptx
