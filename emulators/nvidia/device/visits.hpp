// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Shared memory lives as long as its block. Others of the cluster may be there once they know that the block
// has begun, and must be done before its last thread ends, which must know so (CUDA C++ Programming Guide,
// Distributed Shared Memory): by a barrier of the cluster, or by something else that one leaves for the
// other.
#pragma once
#include <array>

#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct GpuThread;
struct Block;

// The last plain access of a thread, or the last one that is strong.
struct Visit {
  u32 epoch = 0;  // of that thread; 0: it was never there
  u32 offset = 0;
  int line = 0;
  bool reads = false;
  const char* does = nullptr;
};
using Visits = std::array<Visit, 2>;

inline bool is_of_another_block(const Thread* t, u32 shared_address) {
  return (shared_address ^ t->rank) > offset_mask;
}
// The thread, or what it began, is at another block's shared memory: a mistake if that block is not known to
// have begun, or has ended. `does`: "reads".
void see_living(GpuThread&, int line, u32 shared_address, const char* does);
// Seen to live: the block will be asked at its end whether it knows that this is over.
void visit(GpuThread&, int line, u32 shared_address, bool strong, bool reads, const char* does);
// A thread of the block has seen what others' strong accesses there have made of it: these are over.
void see_done(Block&, u32 offset);
// A block ends: a mistake if others may still be at its memory.
void see_visitors_gone(const Block&);

}  // namespace podium::ptx
