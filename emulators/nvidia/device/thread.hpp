// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A GPU thread as generated kernels see it.
#pragma once
#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

// Shared memory of a cluster's blocks: a 32-bit address is the block's rank in the cluster << 24, and an
// offset. The first KiB belongs to the system, as on sm_90.
inline constexpr u32 rank_shift = 24, shared_begin = 1024, offset_mask = (1u << rank_shift) - 1;

struct Cell;

// Of one memory instruction: the allocation that it touched last, less the bytes that it touches beyond the
// first.
struct Site {
  u64 begin = u64{1} << 63;  // no address of a process
  u64 limit = 0;
  Cell* cells = nullptr;  // races.hpp: who touched the allocation's words; nullptr: nobody watches
};

struct Held;

struct Thread {
  u8* shared = nullptr;             // of the cluster's first block
  u32 rank = 0;                     // of its block in the cluster, << rank_shift
  u32 shared_first = shared_begin;  // offset of what it may touch, 0 once it has asked for the system's
  u32 shared_end = 0;               // offset behind the block's shared memory
  u32 dynamic_begin = 0;            // offset of dynamic shared memory
  u8* parameters = nullptr;         // of the kernel
  u64 parameter_bytes = 0;
  u32 blocks = 1;            // in the cluster
  bool clustered = false;    // launched as one, also if it is of one block
  u32 lane = 0, linear = 0;  // in the warp, in the block
  u32 tid[3] = {};
  const u32* ctaid = nullptr;   // x y z of the block, of its cluster, of the block in its cluster
  const u32* nctaid = nullptr;  // of the grid, of its clusters, of the cluster
  const u32* ntid = nullptr;
  Site* sites = nullptr;            // of this launch
  u32 carry = 0;                    // CC.CF
  bool products_in_flight = false;  // wgmma's, that it has not waited for
  u32 loads_in_flight = 0;          // tcgen05.ld's, that it has not waited for, nor used what they load
  u32 looks = 0;                    // at memory that others may change, since it last let others go on
  alignas(16) u8 value[32];         // that is being stored: memory.hpp
  const Held* held = nullptr;       // the last of what its functions have in local memory
};

// A variable in local memory, or a parameter that lies there, while the function runs that has it: what
// addresses in registers may lead to. Those of its callers stay, since pointers to them are passed down.
struct Held {
  Held(Thread* t, const u8* at, u64 size)
      : begin(reinterpret_cast<u64>(at)), bytes(size), before(t->held), thread(t) {
    t->held = this;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { thread->held = before; }

  const u64 begin, bytes;
  const Held* const before;
  Thread* const thread;
};

using Entry = void (*)(Thread*, u8* parameters);

}  // namespace podium::ptx
