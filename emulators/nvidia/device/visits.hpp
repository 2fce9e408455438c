// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Shared memory lives as long as its block. What other blocks of the cluster do there must be over before the
// last thread of that one ends (CUDA C++ Programming Guide, Distributed Shared Memory), and that block must
// know so, by a barrier of the cluster or by something else that the others leave for it.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct GpuThread;
struct Block;

// The last of a thread.
struct Visit {
  u32 epoch = 0;  // of that thread; 0: it was never there
  int line = 0;
  u32 offset = 0;
  const char* does = nullptr;
};

inline bool is_of_another_block(const Thread* t, u32 shared_address) {
  return (shared_address ^ t->rank) > offset_mask;
}
// The thread is at another block's shared memory: a mistake if that block has ended. `does`: "reads".
void see_living(GpuThread&, int line, u32 shared_address, const char* does);
// The same, and the block will be asked at its end whether it knows that this is over.
void visit(GpuThread&, int line, u32 shared_address, const char* does);
// A block ends: a mistake if others may still be at its memory.
void see_visitors_gone(const Block&);

}  // namespace podium::ptx
