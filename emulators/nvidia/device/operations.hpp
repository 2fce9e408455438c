// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What threads do together, and what waits: called by generated kernels, defined file by file beside this
// one. `line` is the instruction's in its PTX file.
#pragma once
#include "emulators/nvidia/device/multiprocessors.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// fault.cpp
[[noreturn]] void fault(Thread*, int line, const char* what);  // a whole sentence without its place
[[noreturn]] void unknown(Thread*, int line, const char* instruction, const char* why);
// A register that nothing has written; `what` it decides.
[[noreturn]] void unwritten(Thread*, int line, const char* name, const char* what);

// scheduler.cpp
[[noreturn]] void leave(Thread*);  // exit
u64 clock_of(Thread*);
u32 multiprocessor_of(Thread*);  // on which its block runs
u64 grid_workspace(
    Thread*);  // %envreg1, %envreg2: where cooperative groups keep a grid's barrier, if there is one
u32 reserved_shared(Thread*);  // %reserved_smem_offset_1: where they keep barriers of several warps

// prerequisite.cpp: griddepcontrol.wait (PTX ISA 9.7.13.13)
void wait_for_prerequisite(Thread*);

// barrier.cpp: bar, barrier (PTX ISA 9.7.13.1). `count` < 0: all threads of the block.
enum class Combine { popc, all, any };
void barrier(Thread*, int line, u32 id, s64 count);
void barrier_arrive(Thread*, int line, u32 id, s64 count);
u32 barrier_reduce(Thread*, int line, u32 id, s64 count, Combine, bool p);
// The same without .aligned: lanes of a warp may come from different places.
void lone_barrier(Thread*, int line, u32 id, s64 count);
void lone_barrier_arrive(Thread*, int line, u32 id, s64 count);
u32 lone_barrier_reduce(Thread*, int line, u32 id, s64 count, Combine, bool p);
void cluster_arrive(Thread*, int line);
void cluster_wait(Thread*, int line);

// warp.cpp: PTX ISA 9.7.9.6 (shfl), 9.7.13.9 to 12 (vote, match, activemask, redux), 9.7.13.14 (elect)
enum class Shuffle { up, down, butterfly, index };
enum class Reduce {
  add,
  min_u,
  max_u,
  min_s,
  max_s,
  bit_and,
  bit_or,
  bit_xor,
  min_f,
  max_f,
  min_f_nan,
  max_f_nan
};
void warp_sync(Thread*, int line, u32 mask);
struct Shuffled {
  u32 value;
  bool in_range;
};
Shuffled shuffle(Thread*, int line, u32 mask, Shuffle, u32 value, u32 b, u32 c);
u32 ballot(Thread*, int line, u32 mask, bool p);
struct Matched {
  u32 mask;
  bool all;
};
Matched match_any(Thread*, int line, u32 mask, u64 value);
Matched match_all(Thread*, int line, u32 mask, u64 value);
u32 reduce(Thread*, int line, u32 mask, Reduce, u32 value, bool absolute);
struct Elected {
  u32 lane;
  bool me;
};
Elected elect(Thread*, int line, u32 mask);
u32 active_mask(Thread*);

// print.cpp: what device code calls of the host's
void assert_fail(Thread*, u64 message, u64 file, u32 line, u64 function);
s32 print(Thread*, u64 format, u64 arguments);
u64 device_malloc(Thread*, u64 bytes);
void device_free(Thread*, u64 at);

}  // namespace podium::ptx
